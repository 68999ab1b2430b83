import { useEffect, useMemo, useState } from "react";
import { parseJson } from "~/platform/json-value";
import type { ProxyResponse } from "~/proxy/proxy-types";
import { JsonView } from "~/ui/json/json-view";
import { Tabs } from "~/ui/tabs";
import { EMPTY_RESPONSE, NOT_JSON } from "./messages";

type SentRequest = NonNullable<ProxyResponse["request"]>;

/** The provider's answer in full, and the request as it was sent. */
export function ResponseParts({ response, request }: { response: ProxyResponse; request: SentRequest }) {
  const text = response.text ?? "";
  const headers = Object.entries(response.headers);
  return (
    <Tabs
      label="Response parts"
      items={[
        { id: "answer-body", label: "Body", content: <AnswerBody text={text} /> },
        { id: "answer-raw", label: "Raw", content: <RawText text={text} /> },
        { id: "answer-headers", label: "Headers", count: headers.length, content: <Pairs rows={headers} /> },
        { id: "answer-request", label: "Request", content: <SentRequestView request={request} /> },
      ]}
    />
  );
}

function AnswerBody({ text }: { text: string }) {
  const value = useMemo(() => parseJson(text), [text]);
  if (text === "") return <p className="p-4 text-dim">{EMPTY_RESPONSE}</p>;
  if (value !== undefined) return <JsonView key={text} value={value} label="Answer" />;
  return (
    <>
      <NotJson text={text} />
      <RawText text={text} />
    </>
  );
}

/** Where and why a text that looks like JSON is none. */
function NotJson({ text }: { text: string }) {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (!/^\s*[[{]/.test(text)) return;
    let left = false;
    import("../request/json-problem").then(
      ({ findJsonProblem }) => left || setProblem(findJsonProblem(text)),
      // The text is shown all the same.
      () => {},
    );
    return () => {
      left = true;
    };
  }, [text]);
  return problem === null ? null : (
    <p role="status" className="px-4 pt-4">
      {NOT_JSON} {problem}
    </p>
  );
}

function Pairs({ rows }: { rows: [string, string][] }) {
  if (rows.length === 0) return <p className="p-4 text-dim">None.</p>;
  return (
    <dl className="wire grid grid-cols-[minmax(8rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1 p-4">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="json-key [overflow-wrap:anywhere]">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function SentRequestView({ request }: { request: SentRequest }) {
  return (
    <>
      <p className="wire px-4 pt-4 [overflow-wrap:anywhere]">
        <strong>{request.method}</strong> {request.url}
      </p>
      <Pairs rows={Object.entries(request.headers)} />
      {request.body ? <RawText text={request.body} /> : <p className="px-4 pb-4 text-dim">No body.</p>}
    </>
  );
}

/** Longer texts make the page slow, so the rest is shown on demand. */
const SHOWN_CHARS = 200_000;

/** A text, unformatted. */
function RawText({ text }: { text: string }) {
  const [shown, setShown] = useState(SHOWN_CHARS);
  return (
    <div className="p-4">
      <pre className="wire whitespace-pre-wrap [overflow-wrap:anywhere]">{text.slice(0, shown)}</pre>
      {text.length > shown ? (
        <p className="mt-2 flex flex-wrap items-center gap-3 text-dim">
          {shown.toLocaleString("en")} of {text.length.toLocaleString("en")} characters shown.
          <button type="button" className="button needs-script" onClick={() => setShown(shown + SHOWN_CHARS)}>
            Show more
          </button>
        </p>
      ) : null}
    </div>
  );
}
