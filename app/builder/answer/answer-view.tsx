import { Link, useFetcher, useRevalidator } from "@remix-run/react";
import { type ReactNode, useEffect, useMemo } from "react";
import { logAddress } from "~/api-log/api-log-view";
import type { JsonValue } from "~/catalogue/types";
import type { PieceDetails } from "~/pieces/page/load-details.server";
import { STATE_WORDS } from "~/pieces/page/messages";
import { formatInteger } from "~/platform/format-integer";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import { Badge } from "~/ui/badge";
import { CopyButton } from "~/ui/copy-button";
import { formatBytes } from "~/ui/format-bytes";
import { JsonTree } from "~/ui/json/json-view";
import { Notice } from "~/ui/notice";
import { useAppears } from "~/ui/use-hydrated";
import { type Answer, wasSent } from "../send/answer";
import { CreditsLine, LateOutcome } from "./credits-line";
import { type AnswerBody, describeBody, ResponseParts } from "./response-parts";

/** States of a piece after its send. */
export const PIECE_STATES = {
  checking: "Checking",
  refused: "Refused",
  unanswered: "No answer",
  notSent: "Not sent",
  sent: "Sent",
  tested: "Tested",
  answered: "Answered",
};

export const EXAMPLE_TITLE = "Example response (nothing was sent)";

/** A finished send: its outcome in words; of anything but a piece also the answer itself. */
export function AnswerView({
  call,
  answer,
  piece,
  nextStep,
  save,
}: {
  call: string;
  answer: Answer;
  piece: boolean;
  nextStep: (response: ProxyResponse) => ReactNode;
  save: ReactNode;
}) {
  const response = answer.kind === "stopped" ? null : answer.response;
  const late = useLateOutcome(response);
  return (
    <div className={useAppears()}>
      {piece ? null : (
        <p className="wire truncate px-4 pt-2 text-dim" title={call}>
          {call}
        </p>
      )}
      {response === null ? (
        <div className="p-4">
          {answer.kind === "failed" ? (
            <Notice tone="bad" title={answer.httpStatus === null ? "No answer." : undefined} urgent>
              {answer.message}
            </Notice>
          ) : (
            <Notice tone="warn" title="Stopped." urgent>
              The provider may already have the request. Its outcome is not known here.
            </Notice>
          )}
        </div>
      ) : piece ? (
        <PieceOutcome response={response} late={late} nextStep={nextStep(response)} />
      ) : (
        <ResponseView response={response} save={save}>
          <Messages response={response} late={late} nextStep={nextStep(response)} piece={false} />
        </ResponseView>
      )}
      {answer.kind === "failed" && answer.requestId ? (
        <p className="px-4 pb-3 text-small">
          <Link to={logAddress({ id: answer.requestId })} className="link">
            Find this call in the API log
          </Link>
        </p>
      ) : null}
    </div>
  );
}

/** The outcome of a piece, its credits and the link to its page. */
function PieceOutcome({ response, late, nextStep }: Omit<MessagesProps, "piece">) {
  const { word, tone } = late ? STATE_WORDS[late.state] : findPieceState(response);
  return (
    <section aria-label="Outcome" className="border-line border-b">
      <p className="px-4 pt-3 pb-2">
        <Badge tone={tone}>{word}</Badge>
      </p>
      {response.tested_piece ? (
        <p className="px-4 pb-3">
          Nothing was mailed. Check the provider's PDF, then send the tested piece live.
        </p>
      ) : null}
      <Messages response={response} late={late} nextStep={nextStep} piece />
    </section>
  );
}

/** An answer of the provider: status, duration, size, body, headers, and the request as it was sent. */
export function ResponseView({
  response,
  save,
  children,
}: {
  response: ProxyResponse;
  save: ReactNode;
  children?: ReactNode;
}) {
  const body = useMemo(() => describeBody(response), [response]);
  return (
    <>
      <div className="flex min-h-[51px] flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2">
        <AnswerStatus response={response} />
        {wasSent(response) ? (
          <span className="tabular-nums">{formatInteger(response.durationMs)} ms</span>
        ) : null}
        {response.text === null ? null : (
          <>
            <span className="tabular-nums">{formatBytes(body.bytes)}</span>
            <span className="ml-auto flex gap-2">
              {body.isFile ? null : <CopyButton text={response.text} />}
              <DownloadLink response={response} body={body} />
            </span>
          </>
        )}
      </div>
      {children}
      {save}
      {response.request === null ? null : (
        <ResponseParts response={response} request={response.request} body={body} />
      )}
    </>
  );
}

interface MessagesProps {
  response: ProxyResponse;
  /** The piece's later outcome; it replaces the answer's message. */
  late: PieceDetails | null;
  nextStep: ReactNode;
  /** The answer is about a piece, whose state stands above. */
  piece: boolean;
}

function Messages({ response, late, nextStep, piece }: MessagesProps) {
  const { error, hint, credits, pending } = response;
  if (late) {
    return (
      <div className="px-4 pb-3">
        <LateOutcome story={late} />
      </div>
    );
  }
  if (pending) {
    return (
      <div className="px-4 pb-3">
        {/* In one notice: a piece's badge says already that it is checked. */}
        <Notice tone="warn" title={piece ? undefined : "Checking."} urgent>
          <p>{error}</p>
          <p>{hint}</p>
          <CreditsLine response={response} />
        </Notice>
      </div>
    );
  }
  if (!error && !hint && !credits) return null;
  return (
    <div className="grid gap-2 px-4 pb-3">
      {error ? (
        <Notice tone="bad" urgent>
          {error}
        </Notice>
      ) : null}
      {hint ? <Notice tone="info">{hint}</Notice> : null}
      {nextStep}
      {response.shortfall ? null : <CreditsLine response={response} />}
    </div>
  );
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

/** The status of an answer in words, coloured by success. */
function AnswerStatus({ response }: { response: ProxyResponse }) {
  const { status, error, request, pending } = response;
  if (request === null && !pending) return <Badge tone="bad">Not sent</Badge>;
  if (status === null) return <Badge tone={pending ? "warn" : "bad"}>No answer</Badge>;
  const good = error === null && status < 400;
  const redirect = status >= 300 && status < 400;
  return (
    <Badge tone={redirect ? "warn" : good ? "ok" : "bad"}>
      {status} {STATUS_WORDS[status] ?? (good ? "OK" : "Error")}
      {error !== null && status < 300 ? (response.data === null ? ", unreadable" : ", refused") : ""}
    </Badge>
  );
}

const STATUS_WORDS: Record<number, string> = {
  200: "OK",
  201: "Created",
  204: "No content",
  301: "Redirect",
  302: "Redirect",
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

type PieceTone = "ok" | "bad" | "warn";

/** Finds the state of a piece after the answer to its send, in one word. */
function findPieceState(response: ProxyResponse): { word: string; tone: PieceTone } {
  const { pending, error, request, status, credits, tested_piece: tested } = response;
  if (pending || credits?.pending) return { word: PIECE_STATES.checking, tone: "warn" };
  if (error !== null) {
    const word = request === null ? "notSent" : status === null ? "unanswered" : "refused";
    return { word: PIECE_STATES[word], tone: "bad" };
  }
  if (credits?.success && credits.creditsDeducted > 0) return { word: PIECE_STATES.sent, tone: "ok" };
  return { word: tested || !credits ? PIECE_STATES.tested : PIECE_STATES.answered, tone: "ok" };
}

const POLL_MS = 2_000;

/** Polls the page of a piece with an open answer every 2 s until its outcome is known. Null before. */
function useLateOutcome(response: ProxyResponse | null): PieceDetails | null {
  const { load, data, state } = useFetcher();
  const { revalidate } = useRevalidator();
  const sendId = (response?.credits?.pending && response.send_id) || null;
  const story = (data as { details: PieceDetails } | undefined)?.details;
  // The page of the piece that an earlier answer was about is not this one's.
  const settled = story && story.id === sendId && !story.checking ? story : null;
  const known = settled !== null;
  const open = sendId !== null && !known;
  useEffect(() => {
    if (!open || state !== "idle") return;
    const timer = setInterval(() => {
      // Offline Remix cannot load the route's script, and reloads the page.
      if (navigator.onLine) load(`/sends/${sendId}`);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [open, sendId, state, load]);
  // The header still shows the balance from before.
  useEffect(() => {
    if (known) revalidate();
  }, [known, revalidate]);
  return settled;
}

/** An example of the provider's answer, shown before anything was sent. */
export function Example({ value }: { value: JsonValue }) {
  return (
    <section aria-labelledby="example-answer" className="m-4 border border-line border-dashed bg-sunken">
      <h3 id="example-answer" className="px-4 pt-3 font-normal text-dim">
        {EXAMPLE_TITLE}
      </h3>
      <JsonTree text={JSON.stringify(value)} />
    </section>
  );
}
