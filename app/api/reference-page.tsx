import { Link } from "@remix-run/react";
import { Badge } from "~/ui/badge";
import { CopyButton } from "~/ui/copy-button";
import { Cell, Head, Row, Table } from "~/ui/list/table";
import { HOW_OFTEN_TRIED } from "~/webhooks/messages";
import type { ReferenceCall, ReferenceEvent, ReferenceField, ReferenceView } from "./reference-view";

/** The API for programs, call by call. */
export function ReferencePage({ view }: { view: ReferenceView }) {
  return (
    <div className="mx-auto grid w-full max-w-[1180px] grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 px-4 py-6 lg:grid-cols-[220px_minmax(0,1fr)]">
      <nav aria-label="Calls" className="lg:sticky lg:top-4 lg:self-start">
        <h1 className="mb-2 text-title">API reference</h1>
        {view.groups.map(({ name, calls }) => (
          <details key={name} open={name === "Pieces"} className="mb-1">
            <summary className="py-0.5 font-semibold">{name}</summary>
            <ul className="mb-2 pl-3">
              {calls.map(({ id, summary }) => (
                <li key={id} className="py-0.5">
                  <a href={`#${id}`} className="link">
                    {summary}
                  </a>
                </li>
              ))}
            </ul>
          </details>
        ))}
        <a href="#webhooks" className="link block py-0.5">
          Events sent to you
        </a>
      </nav>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-8">
        <header className="grid max-w-prose gap-2">
          <p>
            Create a token on your{" "}
            <Link to="/profile" className="link">
              Profile page
            </Link>{" "}
            and send it as <code className="wire">Authorization: Bearer</code>. A client can be generated from{" "}
            <a href="/api/openapi.json" className="link">
              /api/openapi.json
            </a>{" "}
            (OpenAPI 3.1).
          </p>
          <p>
            Every failure has the same shape: <code className="wire">success</code>,{" "}
            <code className="wire">code</code>, <code className="wire">error</code> and{" "}
            <code className="wire">request_id</code>.
          </p>
        </header>
        {view.groups.map(({ name, calls }) => (
          <section
            key={name}
            aria-labelledby={`group-${name}`}
            className="grid grid-cols-[minmax(0,1fr)] gap-6"
          >
            <h2 id={`group-${name}`} className="border-line border-b pb-1">
              {name}
            </h2>
            {calls.map((call) => (
              <Call key={call.id} call={call} />
            ))}
          </section>
        ))}
        <WebhooksReference events={view.events} />
      </div>
    </div>
  );
}

function Call({ call }: { call: ReferenceCall }) {
  const { id, method, path, summary, description, scope, parameters, fields, answers, failures, sample } =
    call;
  return (
    <article aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 id={id} className="scroll-mt-4">
        {summary}
      </h3>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={method === "GET" ? "neutral" : "accent"}>{method}</Badge>
        <code className="wire [overflow-wrap:anywhere]">{path}</code>
      </p>
      {description ? (
        <p className="max-w-prose">
          <Marked text={description} />
        </p>
      ) : null}
      <p className="text-dim">
        Scope: <Marked text={scope} />
      </p>
      <TryIt call={call} />
      {parameters.length > 0 ? <Fields label="Parameters" about={summary} rows={parameters} /> : null}
      {fields.length > 0 ? <Fields label="Body" about={summary} rows={fields} /> : null}
      {sample ? (
        <details>
          <summary>Example answer</summary>
          <pre className="wire scrolls mt-1 rounded-[6px] border border-line bg-surface p-3">{sample}</pre>
        </details>
      ) : null}
      <details>
        <summary>Answers and failures</summary>
        <Table
          label={`Answers: ${summary}`}
          narrow
          head={
            <>
              <Head>Status</Head>
              <Head>Code</Head>
              <Head>Meaning</Head>
            </>
          }
        >
          {[...answers.map((answer) => ({ ...answer, code: "" })), ...failures].map(
            ({ status, code, about }) => (
              <Row key={`${status} ${code}`}>
                <Cell>{status}</Cell>
                <Cell>
                  <code className="wire">{code}</code>
                </Cell>
                <Cell>
                  <Marked text={about} />
                </Cell>
              </Row>
            ),
          )}
        </Table>
      </details>
    </article>
  );
}

/** The command to paste. A call of the proxy can also be built and sent on the Builder. */
function TryIt({ call: { id, curl, summary } }: { call: ReferenceCall }) {
  const builder = id === "callProvider" || id === "createPiece";
  return (
    <details open={id === "createPiece"}>
      <summary>Try it</summary>
      <pre className="wire scrolls mt-1 rounded-[6px] border border-line bg-surface p-3">{curl}</pre>
      <p className="mt-1 flex flex-wrap items-center gap-3">
        <CopyButton text={curl} label="Copy command" about={summary} />
        {builder ? (
          <Link to="/?preset=postcards.create" className="link">
            Build it in the API Builder
          </Link>
        ) : null}
      </p>
    </details>
  );
}

function Fields({ label, about, rows }: { label: string; about: string; rows: ReferenceField[] }) {
  return (
    <details>
      <summary>
        {label} <span className="text-dim">{rows.length}</span>
      </summary>
      <Table
        label={`${label}: ${about}`}
        narrow
        head={
          <>
            <Head>Name</Head>
            <Head>Type</Head>
            <Head>Meaning</Head>
          </>
        }
      >
        {rows.map(({ name, type, required, about: meaning }) => (
          <Row key={name}>
            <Cell wraps="name">
              <code className="wire">{name}</code>
              {required ? <span className="block text-dim text-small">required</span> : null}
            </Cell>
            <Cell>
              <span className="text-dim">{type}</span>
            </Cell>
            <Cell>
              <Marked text={meaning} />
            </Cell>
          </Row>
        ))}
      </Table>
    </details>
  );
}

/** A sentence whose words between backticks are code. */
function Marked({ text }: { text: string }) {
  return text.split("`").map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence do not move
      <code key={at} className="wire">
        {part}
      </code>
    ) : (
      part
    ),
  );
}

/** The posts to a webhook receiver, and how it verifies them. */
function WebhooksReference({ events }: { events: ReferenceEvent[] }) {
  return (
    <section aria-labelledby="webhooks" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="webhooks" className="scroll-mt-4 border-line border-b pb-1">
        Events sent to you
      </h2>
      <div className="grid max-w-prose gap-2">
        <p>
          Add an endpoint under{" "}
          <Link to="/webhooks" className="link">
            Webhooks
          </Link>
          . Requests are signed by the{" "}
          <a href="https://www.standardwebhooks.com" className="link" rel="noreferrer">
            Standard Webhooks
          </a>{" "}
          scheme: verify <code className="wire">webhook-id</code>,{" "}
          <code className="wire">webhook-timestamp</code> and <code className="wire">webhook-signature</code>{" "}
          with one of its libraries and your secret.
        </p>
        <p>
          Answer with 2xx within 15 seconds. Anything else is tried again, {HOW_OFTEN_TRIED}. An event may
          arrive twice or out of order: <code className="wire">webhook-id</code> stays the same, and{" "}
          <code className="wire">timestamp</code> says when it happened. Answer 410 to get no more.
        </p>
      </div>
      {events.map(({ type, about, sample }) => (
        <article
          key={type}
          aria-labelledby={`event-${type}`}
          className="grid grid-cols-[minmax(0,1fr)] gap-1"
        >
          <h3 id={`event-${type}`} className="wire">
            {type}
          </h3>
          <p>{about}</p>
          <details>
            <summary>Example body</summary>
            <pre className="wire scrolls mt-1 rounded-[6px] border border-line bg-surface p-3">{sample}</pre>
          </details>
        </article>
      ))}
    </section>
  );
}
