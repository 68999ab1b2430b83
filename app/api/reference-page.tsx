import { Badge } from "~/ui/badge";
import { CopyButton } from "~/ui/copy-button";
import { TextLink } from "~/ui/links";
import { Cell, Row, Table } from "~/ui/list/table";
import type { ReferenceFold, ReferencePart, ReferenceTable } from "./chapters.server";
import type { ReferenceView } from "./reference-view.server";

const STACK = "grid grid-cols-[minmax(0,1fr)]";

export function ReferencePage({ view: { groups, signedIn } }: { view: ReferenceView }) {
  return (
    <div className="mx-auto grid w-full max-w-[1180px] grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 px-4 py-6 lg:grid-cols-[220px_minmax(0,1fr)]">
      <nav aria-label="Calls" className="lg:sticky lg:top-4 lg:self-start">
        <h1 className="mb-2 text-title">API reference</h1>
        {groups.map(({ name, parts }) => (
          <details key={name} open={name === "Rules" || name === "Pieces"} className="mb-1">
            <summary className="min-h-[24px] font-semibold">{name}</summary>
            <ul className="mb-2 pl-3">
              {parts.map(({ id, title }) => (
                <li key={id}>
                  <a href={`#${id}`} className="link inline-block min-h-[24px]">
                    {title.replaceAll("`", "")}
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
        {groups.map(({ name, parts }) => {
          const id = `group-${name.replaceAll(" ", "-")}`;
          return (
            <section key={name} aria-labelledby={id} className={`${STACK} gap-6`}>
              <h2 id={id} className="scroll-mt-4 border-line border-b pb-1">
                {name}
              </h2>
              {parts.map((part) => (
                <Part key={part.id} part={part} />
              ))}
            </section>
          );
        })}
      </div>
    </div>
  );
}

function Part({ part: { id, title, call, text, table, folds = [], failures } }: { part: ReferencePart }) {
  const name = title.replaceAll("`", "");
  return (
    <article aria-labelledby={id} className={`${STACK} gap-2`}>
      <h3 id={id} className="scroll-mt-4">
        <Marked text={title} plain />
      </h3>
      {call ? (
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={call.method === "GET" ? "neutral" : "accent"}>{call.method}</Badge>
          <code className="wire [overflow-wrap:anywhere]">{call.path}</code>
        </p>
      ) : null}
      {text.map((paragraph) => (
        <p key={paragraph} className="max-w-prose">
          <Marked text={paragraph} />
        </p>
      ))}
      {table ? <TextTable table={table} label={`${name}, table`} /> : null}
      {folds.map((fold) => (
        <Fold key={fold.title} fold={fold} part={name} />
      ))}
      {failures ? (
        <p className="text-dim">
          <a href="#errors" className="link">
            Failures
          </a>
          : <Marked text={failures} />
        </p>
      ) : null}
    </article>
  );
}

function Fold({
  fold: { title, about = "", isOpen, text, table, code, copied, builder, hint },
  part,
}: {
  fold: ReferenceFold;
  part: string;
}) {
  return (
    <details open={isOpen}>
      <summary className="min-h-[24px]">
        {title}{" "}
        <span className="text-dim">
          <Marked text={about} />
        </span>
      </summary>
      {text ? (
        <p className="my-1">
          <Marked text={text} />
        </p>
      ) : null}
      {table ? <TextTable table={table} label={`${title}: ${part}`} /> : null}
      {code ? (
        <pre className="wire scrolls mt-1 rounded-[6px] border border-line bg-surface p-3">{code}</pre>
      ) : null}
      {code && copied ? (
        <p className="mt-1 flex flex-wrap items-center gap-3">
          <CopyButton text={code} subject={copied} />
          {builder ? <TextLink to={builder}>Build it in the API Builder</TextLink> : null}
        </p>
      ) : null}
      {hint ? (
        <p className="text-dim">
          <Marked text={hint} />
        </p>
      ) : null}
    </details>
  );
}

function TextTable({ table: { head, rows, hasNames }, label }: { table: ReferenceTable; label: string }) {
  return (
    <Table label={label} narrow head={head}>
      {rows.map((cells) => (
        <Row key={cells.join("\n")}>
          {cells.map((cell, at) => (
            <Cell key={head[at]} {...(at > 0 ? { wraps: "text" } : hasNames ? { wraps: "name" } : {})}>
              <Marked text={cell} />
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}

/** A sentence with code between backticks. Names of objects are links, unless it is `plain`. */
function Marked({ text, plain }: { text: string; plain?: boolean }) {
  return text.split("`").map((part, at) => {
    if (at % 2 === 0) return part;
    const code = (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence do not move
      <code key={at} className="wire">
        {part}
      </code>
    );
    return !plain && /^[A-Z][a-z][A-Za-z]+$/.test(part) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <a key={at} href={`#${part}`} className="link">
        {code}
      </a>
    ) : (
      code
    );
  });
}
