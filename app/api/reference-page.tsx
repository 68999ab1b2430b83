import { Badge } from "~/ui/badge";
import { CopyButton } from "~/ui/copy-button";
import { TextLink } from "~/ui/links";
import { Cell, Row, Table } from "~/ui/list/table";
import type { ReferenceChapter } from "./chapters.server";
import type { ReferenceCall, ReferenceEvent, ReferenceField, ReferenceView } from "./reference-view.server";

const STACK = "grid grid-cols-[minmax(0,1fr)]";

/** Reference of the API: its rules, then its calls. */
export function ReferencePage({ view }: { view: ReferenceView }) {
  const { chapters, groups, events, objects, signedIn } = view;
  const contents = [
    { name: "Rules", entries: chapters.map(({ id, title }) => ({ id, name: title })) },
    ...groups.map(({ name, calls }) => ({
      name,
      entries: calls.map(({ id, summary }) => ({ id, name: summary })),
    })),
    { name: "Events sent to you", entries: events.map(({ type }) => ({ id: `event-${type}`, name: type })) },
    { name: "Objects", entries: objects.map(({ name }) => ({ id: name, name })) },
  ];
  return (
    <div className="mx-auto grid w-full max-w-[1180px] grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 px-4 py-6 lg:grid-cols-[220px_minmax(0,1fr)]">
      <nav aria-label="Calls" className="lg:sticky lg:top-4 lg:self-start">
        <h1 className="mb-2 text-title">API reference</h1>
        {contents.map(({ name, entries }) => (
          <details key={name} open={name === "Rules" || name === "Pieces"} className="mb-1">
            <summary className="min-h-[24px] font-semibold">{name}</summary>
            <ul className="mb-2 pl-3">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <a href={`#${entry.id}`} className="link inline-block min-h-[24px]">
                    {entry.name}
                  </a>
                </li>
              ))}
            </ul>
          </details>
        ))}
      </nav>
      <div className={`${STACK} min-w-0 content-start gap-8`}>
        <header className="grid max-w-prose gap-2">
          <p>
            Create a token on your <TextLink to="/profile">Profile page</TextLink> and put it into the
            variable <code className="wire">MAILROOM_TOKEN</code>: every command below can then be pasted.{" "}
            {signedIn
              ? "The commands have your own IDs."
              : "Log in to see the commands with your own IDs in them."}{" "}
            A client can be generated from{" "}
            <a href="/api/openapi.json" className="link">
              /api/openapi.json
            </a>{" "}
            (OpenAPI 3.1), from which this page is made, too.
          </p>
        </header>
        {chapters.map((chapter) => (
          <Chapter key={chapter.id} chapter={chapter} />
        ))}
        {groups.map(({ name, calls }) => (
          <Group key={name} name={name}>
            {calls.map((call) => (
              <Call key={call.id} call={call} />
            ))}
          </Group>
        ))}
        <Group name="Events sent to you">
          {events.map((event) => (
            <Event key={event.type} event={event} />
          ))}
        </Group>
        <Group name="Objects">
          {objects.map(({ name, fields }) => (
            <article key={name} aria-labelledby={name} className={`${STACK} gap-1`}>
              <h3 id={name} className="wire scroll-mt-4">
                {name}
              </h3>
              <Fields label="Fields" about={name} rows={fields} />
            </article>
          ))}
        </Group>
      </div>
    </div>
  );
}

function Group({ name, children }: { name: string; children: React.ReactNode }) {
  const id = `group-${name.replaceAll(" ", "-")}`;
  return (
    <section aria-labelledby={id} className={`${STACK} gap-6`}>
      <h2 id={id} className="border-line border-b pb-1">
        {name}
      </h2>
      {children}
    </section>
  );
}

function Chapter({ chapter: { id, title, text, table, code = [] } }: { chapter: ReferenceChapter }) {
  return (
    <section aria-labelledby={id} className={`${STACK} gap-2`}>
      <h2 id={id} className="scroll-mt-4 border-line border-b pb-1">
        {title}
      </h2>
      {text.map((paragraph) => (
        <p key={paragraph} className="max-w-prose">
          <Marked text={paragraph} />
        </p>
      ))}
      {table ? <TextTable label={`${title}, table`} head={table.head} rows={table.rows} /> : null}
      {code.map(({ language, text: lines }) => (
        <details key={language}>
          <summary className="min-h-[24px]">{language}</summary>
          <Code text={lines} copied={`${language} code`} />
        </details>
      ))}
    </section>
  );
}

function Call({ call }: { call: ReferenceCall }) {
  const { id, method, path, summary, description, scope, parameters, bodies, answers, failures, sample } =
    call;
  return (
    <article aria-labelledby={id} className={`${STACK} gap-2`}>
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
      {bodies.map(({ name, fields }) => (
        <Fields key={name} label={name ? `Body of a ${name}` : "Body"} about={summary} rows={fields} />
      ))}
      {answers.map(({ status, about, type, fields }) => (
        <details key={status}>
          <summary className="min-h-[24px]">
            Answer {status}{" "}
            <span className="text-dim">
              <Marked text={about} />
            </span>
          </summary>
          <p className="my-1">
            <Marked text={type} />
          </p>
          {fields.length > 0 ? <FieldTable label={`Answer ${status}: ${summary}`} rows={fields} /> : null}
        </details>
      ))}
      {sample ? (
        <details>
          <summary className="min-h-[24px]">Example answer</summary>
          <Code text={sample} />
        </details>
      ) : null}
      <p className="text-dim">
        <a href="#errors" className="link">
          Failures
        </a>
        : <Marked text={failures} />
      </p>
    </article>
  );
}

/** A command to paste. Two calls can also be built in the Builder. */
function TryIt({ call: { id, curl, missing, summary } }: { call: ReferenceCall }) {
  const builder = id === "callProvider" || id === "createPiece";
  return (
    <details open={id === "createPiece"}>
      <summary className="min-h-[24px]">Try it</summary>
      <Code text={curl} copied={`command: ${summary}`}>
        {builder ? <TextLink to="/?preset=postcards.create">Build it in the API Builder</TextLink> : null}
      </Code>
      {missing.length > 0 ? (
        <p className="text-dim">
          Put a value of your own in place of{" "}
          <Marked text={missing.map((value) => `\`${value}\``).join(", ")} />.
        </p>
      ) : null}
    </details>
  );
}

function Code({ text, copied, children }: { text: string; copied?: string; children?: React.ReactNode }) {
  return (
    <>
      <pre className="wire scrolls mt-1 rounded-[6px] border border-line bg-surface p-3">{text}</pre>
      {copied ? (
        <p className="mt-1 flex flex-wrap items-center gap-3">
          <CopyButton text={text} about={copied} />
          {children}
        </p>
      ) : null}
    </>
  );
}

function Event({ event: { type, about, fields, sample } }: { event: ReferenceEvent }) {
  const id = `event-${type}`;
  return (
    <article aria-labelledby={id} className={`${STACK} gap-1`}>
      <h3 id={id} className="wire scroll-mt-4">
        {type}
      </h3>
      <p>{about}</p>
      <Fields label="Body" about={type} rows={fields} />
      <details>
        <summary className="min-h-[24px]">Example body</summary>
        <Code text={sample} />
      </details>
    </article>
  );
}

function Fields({ label, about, rows }: { label: string; about: string; rows: ReferenceField[] }) {
  return (
    <details>
      <summary className="min-h-[24px]">
        {label} <span className="text-dim">{rows.length}</span>
      </summary>
      <FieldTable label={`${label}: ${about}`} rows={rows} />
    </details>
  );
}

function FieldTable({ label, rows }: { label: string; rows: ReferenceField[] }) {
  return (
    <TextTable
      label={label}
      names
      head={["Name", "Type", "Meaning"]}
      rows={rows.map(({ name, type, required, about }) => [
        `\`${name}\`${required ? " required" : ""}`,
        type,
        about,
      ])}
    />
  );
}

function TextTable({
  label,
  head,
  rows,
  names,
}: {
  label: string;
  head: string[];
  rows: string[][];
  /** True when the first column has long names that may break anywhere. */
  names?: boolean;
}) {
  return (
    <Table label={label} narrow head={head}>
      {rows.map((cells) => (
        <Row key={cells.join("\n")}>
          {cells.map((cell, at) => (
            <Cell key={head[at]} {...(at > 0 ? { wraps: "text" } : names ? { wraps: "name" } : {})}>
              <Marked text={cell} />
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}

/** A sentence with code between backticks. Names of objects are links. */
function Marked({ text }: { text: string }) {
  return text.split("`").map((part, at) => {
    const code = (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence do not move
      <code key={at} className="wire">
        {part}
      </code>
    );
    if (at % 2 === 0) return part;
    return /^[A-Z][a-z][A-Za-z]+$/.test(part) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <a key={at} href={`#${part}`} className="link">
        {code}
      </a>
    ) : (
      code
    );
  });
}
