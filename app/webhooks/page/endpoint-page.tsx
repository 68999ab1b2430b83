import { Form, Link } from "@remix-run/react";
import type { Flash } from "~/platform/http/flash.server";
import { FilterChoice, FilterForm, FilterInput } from "~/ui/field";
import { ButtonLink, Pages, TextLink } from "~/ui/links";
import { Cell, Row, Table } from "~/ui/list/table";
import { FreshOnly } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { FlashNotice, Notice } from "~/ui/notice";
import { useReload } from "~/ui/reload";
import { Act, ConfirmForm, Submit } from "~/ui/submit";
import { endpointAddress } from "../endpoint-address";
import { DELIVERY_STATES, EVENT_NAMES } from "../events";
import type { DeliveryRow, EndpointPageView, EndpointView } from "../load-webhooks.server";
import { ADMINS_ONLY } from "../messages";
import type { PostResult } from "../webhooks-post.server";
import { EndpointForm } from "./endpoint-form";
import { NewSecret, StateBadge, Subject } from "./webhook-parts";

interface EndpointPageProps {
  view: EndpointPageView;
  flash: Flash | null;
  posted: PostResult | undefined;
  confirming: string | null;
}

export function EndpointPage({ view, flash, posted, confirming }: EndpointPageProps) {
  useReload(5_000);
  const { endpoint, filter, rows } = view;
  const draft = posted?.draft ?? null;
  return (
    <div className="page py-6">
      <EndpointHeader endpoint={endpoint} mayChange={view.draft !== null} />
      <FlashNotice flash={flash} />
      <NewSecret secret={posted?.secret ?? null} />
      {confirming === "remove" && view.draft ? (
        <ConfirmForm
          title="Remove this endpoint?"
          message="Events are no longer sent to this endpoint, and its delivery log is deleted."
          fields={{ intent: "remove" }}
          confirmLabel="Remove endpoint"
          cancelTo={endpointAddress(endpoint.id)}
          cancelLabel="Keep it"
        />
      ) : null}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="grid min-w-0 content-start gap-2">
          <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1 border-line border-b">
            <h2>Deliveries</h2>
            <nav aria-label="Which deliveries" className="flex flex-wrap gap-x-4">
              {[null, ...DELIVERY_STATES].map((state) => (
                <Link
                  key={state ?? "all"}
                  to={endpointAddress(endpoint.id, { ...filter, state })}
                  preventScrollReset
                  className="tab -mb-px"
                  aria-current={state === filter.state ? "page" : undefined}
                >
                  {state ? state.charAt(0).toUpperCase() + state.slice(1) : "All"}
                </Link>
              ))}
            </nav>
          </div>
          <FilterBar filter={filter} />
          {rows.length === 0 ? (
            <p className="text-dim">
              {Object.values(filter).every((value) => !value)
                ? "No deliveries yet. Send a test event to try the endpoint."
                : "No deliveries match this filter."}
            </p>
          ) : (
            <DeliveryTable endpointId={endpoint.id} rows={rows} />
          )}
          <Pages newest={view.newest} older={view.older} end={null} />
        </div>
        {view.draft ? (
          <div className="grid content-start gap-6">
            {endpoint.state === "off" ? null : (
              <>
                <ReplayForm />
                <SampleForm />
              </>
            )}
            <FreshOnly purpose="change it or rotate its secret" typed={draft !== null}>
              <EndpointForm key={draft ? "again" : "saved"} draft={draft ?? view.draft} intent="save" />
            </FreshOnly>
          </div>
        ) : (
          <p className="text-dim">{ADMINS_ONLY}</p>
        )}
      </div>
    </div>
  );
}

function FilterBar({ filter }: Pick<EndpointPageView, "filter">) {
  return (
    <FilterForm
      values={filter}
      role="search"
      aria-label="Filter deliveries"
      className="flex flex-wrap items-end gap-x-3 gap-y-2"
    >
      {filter.state ? <input type="hidden" name="state" value={filter.state} /> : null}
      <EventChoice all="All events" value={filter.event} />
      <FilterInput
        wire
        label="Piece or message ID"
        type="search"
        name="about"
        value={filter.about}
        maxLength={100}
        className="min-w-48 flex-1"
      />
      <button type="submit" className="button">
        Filter
      </button>
    </FilterForm>
  );
}

function EventChoice(props: { all?: string; value?: string | null }) {
  const options = EVENT_NAMES.map((name) => [name, name] as const);
  return <FilterChoice label="Event" name="event" options={options} className="min-w-40" {...props} />;
}

function ReplayForm() {
  return (
    <Form method="post" preventScrollReset aria-labelledby="replay" className="grid gap-2">
      <h2 id="replay">Replay events since</h2>
      <FilterInput
        label="Date and time (UTC)"
        type="datetime-local"
        name="since"
        required
        aria-describedby="replay-about"
      />
      <label className="flex items-center gap-2">
        <input type="checkbox" name="missed" value="1" defaultChecked />
        Only undelivered events
      </label>
      <p id="replay-about" className="text-dim text-small">
        Each event once, with the same message ID, in order, at most ten a second. Events are kept for 30
        days.
      </p>
      <Submit intent="replay" className="justify-self-start">
        Send events
      </Submit>
    </Form>
  );
}

function SampleForm() {
  return (
    <Form method="post" preventScrollReset aria-labelledby="sample" className="grid gap-2">
      <h2 id="sample">Samples</h2>
      <EventChoice />
      <p className="text-dim text-small">
        Sends an example marked <code className="wire">"sample": true</code>; it reports no real event.
      </p>
      <Submit intent="test" className="justify-self-start">
        Send sample
      </Submit>
    </Form>
  );
}

function EndpointHeader({ endpoint, mayChange }: { endpoint: EndpointView; mayChange: boolean }) {
  const { id, address, description, state, since, reason, created, earlierSecretUntil } = endpoint;
  return (
    <header>
      <p className="text-dim">
        <TextLink to="/webhooks">Webhooks</TextLink> / endpoint
      </p>
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="wire min-w-0 text-title [overflow-wrap:anywhere]">{address}</h1>
        <StateBadge state={state} />
        {mayChange ? (
          <span className="ml-auto flex flex-wrap gap-2 max-lg:ml-0">
            {state === "off" ? (
              <Act intent="enable">Switch on</Act>
            ) : (
              <>
                <Act intent="test">Send test event</Act>
                <Act intent="disable">Switch off</Act>
              </>
            )}
            <Act intent="rotate">Rotate secret</Act>
            <ButtonLink to={endpointAddress(id, { ask: "remove" })} preventScrollReset>
              Remove
            </ButtonLink>
          </span>
        ) : null}
      </div>
      <p className="mt-2 text-dim [overflow-wrap:anywhere]">
        {description ? `${description} · ` : null}
        created <Moment at={created} absolute />
        {earlierSecretUntil ? (
          <>
            {" · "}earlier secret valid until <Moment at={earlierSecretUntil} absolute />
          </>
        ) : null}
      </p>
      {since ? (
        <div className="mt-3">
          <Notice tone="warn">
            {state === "off" ? (reason ?? "Switched off.") : "No delivery has succeeded since then:"}{" "}
            <Moment at={since} absolute />
          </Notice>
        </div>
      ) : null}
    </header>
  );
}

function DeliveryTable({ endpointId, rows }: { endpointId: string; rows: DeliveryRow[] }) {
  return (
    <Table label="Deliveries" narrow head={["Event", "State", "Last try"]}>
      {rows.map(({ id, type, subject, state, result, attempts, created, next }) => (
        <Row key={id}>
          <Cell>
            <Link to={`/webhooks/${endpointId}/deliveries/${id}`} className="link wire">
              {type}
            </Link>
            {/* Far enough below the link for two targets of 24 pixels. */}
            <span className="mt-1.5 block text-dim text-small">
              <Moment at={created} />
              {subject ? " · " : null}
              <Subject subject={subject} />
            </span>
          </Cell>
          <Cell>
            <StateBadge state={state} />
          </Cell>
          <Cell wraps="name">
            {result}
            <span className="block text-dim text-small">
              {attempts === 1 ? "1 try" : `${attempts} tries`}
              {next && attempts > 0 ? `, next ${next}` : null}
            </span>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
