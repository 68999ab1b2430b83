import { Link } from "@remix-run/react";
import type { Flash } from "~/platform/http/flash.server";
import { EmptyState } from "~/ui/empty/empty-state";
import { TextLink } from "~/ui/links";
import { Cell, Row, Table } from "~/ui/list/table";
import { FreshOnly } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { FlashNotice, Notice } from "~/ui/notice";
import { endpointAddress } from "../endpoint-address";
import { EVENT_NAMES } from "../events";
import type { EndpointView } from "../load-webhooks.server";
import { ADMINS_ONLY } from "../messages";
import type { EndpointDraft, PostResult } from "../webhooks-post.server";
import { EndpointForm } from "./endpoint-form";
import { NewSecret, StateBadge } from "./webhook-parts";

const EMPTY_DRAFT: EndpointDraft = { url: "", description: "", events: [...EVENT_NAMES], problems: {} };

interface WebhooksPageProps {
  view: { endpoints: EndpointView[]; mayChange: boolean; newId: string } | null;
  /** The reason when the view is null. */
  problem: string | null;
  flash: Flash | null;
  posted: PostResult | undefined;
}

export function WebhooksPage({ view, problem, flash, posted }: WebhooksPageProps) {
  const { secret = null, draft = null } = posted ?? {};
  return (
    <div className="page py-6">
      <header>
        <h1 className="text-title">Webhooks</h1>
        <p className="max-w-prose text-dim">
          Mailroom posts JSON to your server when something happens. Each request is signed by the Standard
          Webhooks scheme. <TextLink to="/reference#group-Events-sent-to-you">Events and payloads</TextLink>
        </p>
      </header>
      <FlashNotice flash={flash} />
      <NewSecret secret={secret} />
      {view ? (
        <div
          className={`grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-6 ${view.mayChange ? "lg:grid-cols-[minmax(0,1fr)_340px]" : ""}`}
        >
          <div className="grid min-w-0 gap-3">
            {view.mayChange ? null : <p className="text-dim">{ADMINS_ONLY}</p>}
            {view.endpoints.length === 0 ? (
              <EmptyState drawing="envelope">
                No endpoints yet. Events are kept for 30 days and can be sent later.
              </EmptyState>
            ) : (
              <EndpointTable endpoints={view.endpoints} />
            )}
          </div>
          {view.mayChange ? (
            <FreshOnly purpose="create an endpoint" typed={draft !== null}>
              <EndpointForm
                key={draft ? "again" : (secret?.endpointId ?? "new")}
                draft={draft ?? EMPTY_DRAFT}
                intent="create"
                newId={view.newId}
              />
            </FreshOnly>
          ) : null}
        </div>
      ) : (
        <Notice tone="warn">{problem}</Notice>
      )}
    </div>
  );
}

function EndpointTable({ endpoints }: { endpoints: EndpointView[] }) {
  return (
    <Table label="Endpoints" narrow rows="keys" head={["Address", "State"]}>
      {endpoints.map(({ id, address, description, events, state, since }) => (
        <Row key={id}>
          <Cell wraps="name">
            <Link to={endpointAddress(id)} className="link wire">
              {address}
            </Link>
            {description ? <span className="block">{description}</span> : null}
            <span className="block text-dim text-small">
              {events.length === EVENT_NAMES.length ? "All events" : events.join(", ")}
            </span>
          </Cell>
          <Cell>
            <StateBadge state={state} />
            {since ? (
              <span className="block text-dim text-small">
                since <Moment at={since} />
              </span>
            ) : null}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
