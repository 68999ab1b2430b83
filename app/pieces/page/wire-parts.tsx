import { type ReactNode, useMemo } from "react";
import { parseJson } from "~/platform/json-value";
import { JsonView } from "~/ui/json/json-view";
import { ButtonLink } from "~/ui/links";
import { Moment } from "~/ui/moment";
import type { PieceDetails } from "./load-details.server";

/** Shows request, answer and stored response of a piece, each folded. */
export function WireParts({ details: { request, answer, stored } }: { details: PieceDetails }) {
  return (
    <div className="mt-8 grid grid-cols-[minmax(0,1fr)] border-line border-t">
      <Folded title="Request" description={`${request.method} ${request.url}`}>
        <dl className="wire mb-3 grid gap-1">
          {request.headers.map(([name, value]) => (
            <div key={name} className="[overflow-wrap:anywhere]">
              <dt className="json-key inline">{name}:</dt> <dd className="inline">{value}</dd>
            </div>
          ))}
        </dl>
        <WireText text={request.body} label="Request body" />
      </Folded>
      <Folded title="Answer" description={answer ? `Status ${answer.status}` : "not received"}>
        {answer === null ? (
          <p className="text-dim">The provider's answer was not received.</p>
        ) : (
          <WireText text={answer.text} label="Answer body" />
        )}
      </Folded>
      {stored ? (
        <Folded title="Stored response" description={stored.tags.join(", ")}>
          <p className="mb-2 text-dim">
            Stored <Moment at={stored.at} absolute />.
          </p>
          <ButtonLink to={stored.url}>Open stored response</ButtonLink>
        </Folded>
      ) : null}
    </div>
  );
}

/** Shows a part that its title opens, also without JavaScript. */
function Folded({
  title,
  description,
  children,
}: {
  title: string;
  description: string;
  children: ReactNode;
}) {
  return (
    <details className="border-line border-b">
      <summary className="py-2.5 hover:bg-sunken">
        <h2 className="inline">{title}</h2>
        {description ? (
          <span className="wire ml-3 text-dim [overflow-wrap:anywhere]">{description}</span>
        ) : null}
      </summary>
      <section aria-label={title} className="px-4 pt-1 pb-4">
        {children}
      </section>
    </details>
  );
}

/** Shows JSON as a tree, any other text as it is. */
function WireText({ text, label }: { text: string; label: string }) {
  const isJson = useMemo(() => parseJson(text) !== undefined, [text]);
  if (!isJson) {
    return <pre className="wire whitespace-pre-wrap [overflow-wrap:anywhere]">{text.slice(0, 20_000)}</pre>;
  }
  return (
    <div className="border border-line bg-sunken">
      <JsonView text={text} label={label} />
    </div>
  );
}
