import { type ReactNode, useMemo, useState } from "react";
import { describeAnswer, formatFile, START_BYTES } from "~/outside/mail-provider/call/file-type";
import { formatBytes, formatInteger } from "~/platform/format-integer";
import { parseJson } from "~/platform/json-value";
import { encodePercent } from "~/platform/percent";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import { Badge } from "~/ui/badge";
import { CopyButton } from "~/ui/copy-button";
import { Pairs } from "~/ui/fact";
import { canDraw, FileView } from "~/ui/file-view";
import { JsonView } from "~/ui/json/json-view";
import { Tabs } from "~/ui/tabs";
import { useJsonProblem } from "../forms/body-editor";
import { wasSent } from "../send/answer";

interface ResponseViewProps {
  response: ProxyResponse;
  save: ReactNode;
  children?: ReactNode;
}

/** An answer of the provider: status, duration, size, body, headers, and the request as it was sent. */
export function ResponseView({ response, save, children }: ResponseViewProps) {
  const body = useMemo(() => describeBody(response), [response]);
  const { request, text } = response;
  const headers = Object.entries(response.headers);
  return (
    <>
      <div className="flex min-h-[51px] flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2">
        <AnswerStatus response={response} />
        {wasSent(response) ? (
          <span className="tabular-nums">{formatInteger(response.durationMs)} ms</span>
        ) : null}
        {text === null ? null : (
          <>
            <span className="tabular-nums">{formatBytes(body.bytes)}</span>
            <span className="ml-auto flex gap-2">
              {body.isFile ? null : <CopyButton text={text} />}
              <DownloadLink response={response} body={body} />
            </span>
          </>
        )}
      </div>
      {children}
      {save}
      {request === null ? null : (
        <Tabs
          label="Response parts"
          items={[
            { id: "answer-body", label: "Body", content: <Body text={text ?? ""} body={body} /> },
            { id: "answer-raw", label: "Raw", content: <RawText text={text ?? ""} /> },
            {
              id: "answer-headers",
              label: "Headers",
              count: headers.length,
              content: <Headers rows={headers} />,
            },
            { id: "answer-request", label: "Request", content: <SentRequestView request={request} /> },
          ]}
        />
      )}
    </>
  );
}

function AnswerStatus({ response }: { response: ProxyResponse }) {
  const { status, error, request, pending } = response;
  if (request === null && !pending) return <Badge tone="bad">Not sent</Badge>;
  if (status === null) return <Badge tone={pending ? "warn" : "bad"}>No answer</Badge>;
  const good = error === null && status < 400;
  const redirect = status >= 300 && status < 400;
  const word = STATUS_WORDS[status] ?? (redirect ? "Redirect" : good ? "OK" : "Error");
  return (
    <Badge tone={redirect ? "warn" : good ? "ok" : "bad"}>
      {status} {word}
      {error !== null && status < 300 ? (response.data === null ? ", unreadable" : ", refused") : ""}
    </Badge>
  );
}

const STATUS_WORDS: Record<number, string> = {
  200: "OK",
  201: "Created",
  204: "No content",
  400: "Bad request",
  401: "Not authorised",
  402: "Payment required",
  403: "Forbidden",
  404: "Not found",
  409: "Conflict",
  413: "Too large",
  415: "Unsupported media type",
  422: "Not processable",
  429: "Too many requests",
  500: "Server error",
  502: "Bad gateway",
  503: "Unavailable",
  504: "Gateway time-out",
};

type AnswerBody = ReturnType<typeof describeBody>;

/** Describes the body of an answer, as it is shown and downloaded: `address` is a `data:` URL, and the text of a file is not shown. */
function describeBody({ text, base64, headers }: ProxyResponse) {
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

const DATA_URL_CHARS = 500_000;

function DownloadLink({ response, body }: { response: ProxyResponse; body: AnswerBody }) {
  const stored = response.response_id ? `/stored/${response.response_id}/answer` : null;
  const inline = body.address.length <= DATA_URL_CHARS ? body.address : stored;
  return (
    <a
      className={`button ${inline === null ? "needs-script" : ""}`}
      download={body.name}
      href={inline ?? "#answer-raw"}
      onClick={(event) => {
        const { text, base64 } = response;
        const bytes = base64 && Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        const address = URL.createObjectURL(new Blob([bytes || (text ?? "")], { type: body.type }));
        event.currentTarget.href = address;
        setTimeout(() => URL.revokeObjectURL(address), 10_000);
      }}
    >
      Download
    </a>
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

function NotJson({ text }: { text: string }) {
  const problem = useJsonProblem(/^\s*[[{]/.test(text) ? text : null, null);
  return problem === null ? null : (
    <p role="status" className="px-4 pt-4">
      This answer is not JSON. {problem}
    </p>
  );
}

function Headers({ rows }: { rows: [string, string][] }) {
  return (
    <div className="p-4">{rows.length === 0 ? <p className="text-dim">None.</p> : <Pairs rows={rows} />}</div>
  );
}

function SentRequestView({ request }: { request: NonNullable<ProxyResponse["request"]> }) {
  return (
    <>
      <p className="wire px-4 pt-4 [overflow-wrap:anywhere]">
        <strong>{request.method}</strong> {request.url}
      </p>
      <Headers rows={Object.entries(request.headers)} />
      {request.body ? <RawText text={request.body} /> : <p className="px-4 pb-4 text-dim">No body.</p>}
    </>
  );
}

/** Longer texts make the page slow, so the rest is shown on demand. */
const SHOWN_CHARS = 200_000;

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
