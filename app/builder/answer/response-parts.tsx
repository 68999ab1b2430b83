import { useMemo, useState } from "react";
import { describeAnswer, formatFile, START_BYTES } from "~/outside/mail-provider/call/file-type";
import { formatInteger } from "~/platform/format-integer";
import { parseJson } from "~/platform/json-value";
import { encodePercent } from "~/platform/percent-encoding";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import { canDraw, FileView } from "~/ui/file-view";
import { JsonView } from "~/ui/json/json-view";
import { Tabs } from "~/ui/tabs";
import { useJsonProblem } from "../forms/body-editor";

const NOT_JSON = "This answer is not JSON.";

type SentRequest = NonNullable<ProxyResponse["request"]>;

/** The body of an answer, as it is shown and downloaded. */
export interface AnswerBody {
  /** Media type. */
  type: string;
  /** File name. */
  name: string;
  bytes: number;
  /** True when it is a file, whose text is not shown. */
  isFile: boolean;
  /** A `data:` address. */
  address: string;
}

export function describeBody({ text, base64, headers }: ProxyResponse): AnswerBody {
  const body = text ?? "";
  const start = base64 === undefined ? body : atob(base64.slice(0, 24));
  const described = describeAnswer(start.slice(0, START_BYTES), headers);
  if (base64 === undefined) {
    const address = `data:${described.type};charset=utf-8,${encodePercent(body)}`;
    return { ...described, bytes: new TextEncoder().encode(body).length, isFile: false, address };
  }
  const bytes = Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
  const address = `data:${described.type};base64,${base64}`;
  return { ...described, bytes, isFile: body === formatFile(bytes), address };
}

/** The provider's answer in full, and the request as it was sent. */
export function ResponseParts({
  response,
  request,
  body,
}: {
  response: ProxyResponse;
  request: SentRequest;
  body: AnswerBody;
}) {
  const text = response.text ?? "";
  const headers = Object.entries(response.headers);
  return (
    <Tabs
      label="Response parts"
      items={[
        { id: "answer-body", label: "Body", content: <Body text={text} body={body} /> },
        { id: "answer-raw", label: "Raw", content: <RawText text={text} /> },
        { id: "answer-headers", label: "Headers", count: headers.length, content: <Pairs rows={headers} /> },
        { id: "answer-request", label: "Request", content: <SentRequestView request={request} /> },
      ]}
    />
  );
}

function Body({ text, body }: { text: string; body: AnswerBody }) {
  const isJson = useMemo(() => parseJson(text) !== undefined, [text]);
  if (text === "") return <p className="p-4 text-dim">The response has no body.</p>;
  if (isJson) return <JsonView key={text} text={text} label="Answer" />;
  return (
    <>
      {canDraw(body) ? (
        <div className="px-4 pt-4">
          <FileView type={body.type} src={body.address} subject="The answer" />
        </div>
      ) : null}
      <NotJson text={text} />
      <RawText text={text} />
    </>
  );
}

/** Shows the position and reason of a JSON syntax error. */
function NotJson({ text }: { text: string }) {
  const problem = useJsonProblem(/^\s*[[{]/.test(text) ? text : null, null);
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
          {formatInteger(shown)} of {formatInteger(text.length)} characters shown.
          <button type="button" className="button needs-script" onClick={() => setShown(shown + SHOWN_CHARS)}>
            Show more
          </button>
        </p>
      ) : null}
    </div>
  );
}
