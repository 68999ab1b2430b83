import { Form } from "@remix-run/react";
import { formatInteger } from "~/platform/format-integer";
import type { Flash } from "~/platform/http/flash.server";
import { TextLink } from "~/ui/links";
import { Moment } from "~/ui/moment";
import { FlashNotice } from "~/ui/notice";
import { useReload } from "~/ui/reload";
import { Submit } from "~/ui/submit";
import { endpointAddress } from "../endpoint-address";
import type { DeliveryPageView } from "../load-webhooks.server";
import { StateBadge, Subject } from "./webhook-parts";

export function DeliveryPage({
  endpoint,
  delivery,
  mayResend,
  flash,
}: DeliveryPageView & { flash: Flash | null }) {
  useReload(5_000);
  const { type, state, subject, messageId, created, payload, tries, next, resentBy } = delivery;
  return (
    <div className="page py-6">
      <header>
        <p className="text-dim [overflow-wrap:anywhere]">
          <TextLink to="/webhooks">Webhooks</TextLink> /{" "}
          <TextLink to={endpointAddress(endpoint.id)}>{endpoint.address}</TextLink>
        </p>
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="wire text-title">{type}</h1>
          <StateBadge state={state} />
          {mayResend ? (
            <Form method="post" preventScrollReset className="ml-auto max-sm:ml-0">
              <Submit intent="resend" working="Queueing...">
                {state === "waiting" ? "Try now" : "Send again"}
              </Submit>
            </Form>
          ) : null}
        </div>
        <p className="mt-1 text-dim [overflow-wrap:anywhere]">
          {subject ? (
            <>
              <Subject subject={subject} /> ·{" "}
            </>
          ) : null}
          <span className="wire">{messageId}</span> · <Moment at={created} absolute />
          {next ? ` · next try ${next}` : null}
          {resentBy ? ` · sent again by ${resentBy}` : null}
        </p>
      </header>
      <FlashNotice flash={flash} />
      <section aria-labelledby="body">
        <h2 id="body" className="mb-1">
          Request body
        </h2>
        <Code text={payload} />
      </section>
      <section aria-labelledby="tries" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h2 id="tries">{tries.length === 0 ? "Not tried yet" : "Tries, newest first"}</h2>
        {tries.map((one) => (
          <article
            key={one.id}
            aria-label={`Try ${one.at.absolute}`}
            className={`grid grid-cols-[minmax(0,1fr)] gap-2 rounded-[6px] border border-line border-l-3 p-3 ${one.ok ? "border-l-ok" : "border-l-live"}`}
          >
            <p className="flex flex-wrap gap-x-3">
              <strong>{one.result}</strong>
              <span className="text-dim tabular-nums">
                <Moment at={one.at} absolute /> · {formatInteger(one.durationMs)} ms
              </span>
            </p>
            {one.answerText ? <Code text={one.answerText} /> : null}
            <details>
              <summary className="text-dim">Headers</summary>
              <div className="grid gap-x-8 gap-y-2 pt-1 sm:grid-cols-2">
                <Headers label="Request" rows={one.requestHeaders} />
                <Headers label="Answer" rows={one.answerHeaders} />
              </div>
            </details>
          </article>
        ))}
      </section>
    </div>
  );
}

function Headers({ label, rows }: { label: string; rows: [string, string][] }) {
  return (
    <div className="min-w-0">
      <h3 className="text-small">{label}</h3>
      {rows.length === 0 ? (
        <p className="text-dim">None</p>
      ) : (
        <ul className="wire [overflow-wrap:anywhere]">
          {rows.map(([name, value]) => (
            <li key={name}>
              <span className="text-dim">{name}:</span> {value}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Code({ text }: { text: string }) {
  return (
    <pre className="wire max-h-96 overflow-auto whitespace-pre-wrap rounded-[6px] border border-line bg-surface p-3 [overflow-wrap:anywhere]">
      {text}
    </pre>
  );
}
