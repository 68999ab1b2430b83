import { Children, type ReactNode, useEffect, useRef } from "react";
import type { JsonValue } from "~/catalogue/types";
import { encodePercent } from "~/platform/percent-encoding";
import type { ProxyResponse } from "~/sending/proxy-types";
import { STATE_WORDS } from "~/story/messages";
import type { Story } from "~/story/story";
import { Badge } from "~/ui/badge";
import { CopyButton } from "~/ui/copy-button";
import { formatBytes } from "~/ui/format-bytes";
import { JsonTree } from "~/ui/json/json-tree";
import { Notice } from "~/ui/notice";
import { EXAMPLE_TITLE, RESPONSE_IDLE, STOPPED, TESTED_NEXT } from "../messages";
import type { Answer } from "./answer";
import { AnswerStatus } from "./answer-status";
import { CreditsLine, LateOutcome } from "./credits-line";
import { Elapsed } from "./elapsed";
import { findPieceState } from "./piece-state";
import { ResponseParts } from "./response-parts";
import { useLateOutcome } from "./use-late-outcome";
import type { Run } from "./use-send";

/** The outcome of a send: status in words, duration, size, body, headers, and the request as it was sent. */
export function ResponsePanel({
  run,
  example,
  nextStep,
  save,
  start,
  piece,
  barBelow,
  children,
}: {
  run: Run;
  example: JsonValue | null;
  /** What to do about an answer that refused a live send. */
  nextStep: (response: ProxyResponse) => ReactNode;
  /** The panel that saves an answer. */
  save: ReactNode;
  /** Instead of the example, before anything was sent. */
  start: ReactNode;
  /** The answer is about a piece of mail: what became of it comes first, how the provider said so last. */
  piece: boolean;
  /** A bar covers the bottom of the window. */
  barBelow: boolean;
  /** The preview of a piece, or the provider's PDF. */
  children: ReactNode;
}) {
  const panel = useRef<HTMLElement>(null);
  const { state } = run;
  const empty = state === "idle" && Children.toArray(children).length === 0;
  // On a small screen the answer is below the form.
  useEffect(() => {
    const oneColumn = window.matchMedia("(max-width: 767px)").matches;
    if (oneColumn && state !== "idle") panel.current?.scrollIntoView({ block: "nearest" });
    // The button that sends a tested piece live is below the answer.
    if (state === "loading") panel.current?.firstElementChild?.scrollTo({ top: 0 });
  }, [state]);
  return (
    <section
      ref={panel}
      id="response"
      aria-label="Response"
      // In one column the start comes before the form of a request that nobody has chosen yet.
      className={`min-w-0 scroll-mt-16 border-line md:border-l ${empty && start ? "max-md:order-first max-md:border-b" : "max-md:border-t"}`}
    >
      <div
        aria-live="polite"
        className={`md:sticky md:top-1.5 md:overflow-y-auto ${barBelow ? "md:max-h-[calc(100vh-88px)]" : "md:max-h-[calc(100vh-6px)]"}`}
      >
        {empty ? (start ?? <Idle example={example} />) : null}
        {run.state === "loading" ? <Elapsed about={run.about} startedAt={run.startedAt} /> : null}
        {run.state === "done" ? (
          <AnswerView about={run.about} answer={run.answer} piece={piece} nextStep={nextStep} save={save} />
        ) : null}
        {children}
        {piece && run.state === "done" && run.answer.kind !== "stopped" && wasSent(run.answer.response) ? (
          <ResponseView response={run.answer.response} save={save} />
        ) : null}
      </div>
    </section>
  );
}

function AnswerView({
  about,
  answer,
  piece,
  nextStep,
  save,
}: {
  about: string;
  answer: Answer;
  piece: boolean;
  nextStep: (response: ProxyResponse) => ReactNode;
  save: ReactNode;
}) {
  const response = answer.kind === "stopped" ? null : answer.response;
  const late = useLateOutcome(response);
  return (
    <div className="appears">
      {piece ? null : (
        <p className="wire truncate px-4 pt-2 text-dim" title={about}>
          {about}
        </p>
      )}
      {answer.kind === "stopped" ? (
        <div className="p-4">
          <Notice tone="warn" title="Stopped." urgent>
            {STOPPED}
          </Notice>
        </div>
      ) : null}
      {answer.kind === "failed" && answer.response === null ? (
        <div className="p-4">
          <Notice tone="bad" title={answer.httpStatus === null ? "No answer." : undefined} urgent>
            {answer.message}
          </Notice>
        </div>
      ) : null}
      {response ? (
        piece ? (
          <PieceOutcome response={response} late={late} nextStep={nextStep(response)} />
        ) : (
          <ResponseView response={response} save={save}>
            <Messages response={response} late={late} nextStep={nextStep(response)} piece={false} />
          </ResponseView>
        )
      ) : null}
    </div>
  );
}

function Idle({ example }: { example: JsonValue | null }) {
  return (
    <>
      <h2 className="border-line border-b px-4 py-3.5">Response</h2>
      <p className="px-4 pt-4 text-dim">{RESPONSE_IDLE}</p>
      {example === null ? null : (
        <section aria-labelledby="example-answer" className="m-4 border border-line border-dashed bg-sunken">
          <h3 id="example-answer" className="px-4 pt-3 font-normal text-dim">
            {EXAMPLE_TITLE}
          </h3>
          <JsonTree value={example} />
        </section>
      )}
    </>
  );
}

/** What became of a piece, then its credits and the link to its page. */
function PieceOutcome({ response, late, nextStep }: Omit<MessagesProps, "piece">) {
  const { word, tone } = late ? STATE_WORDS[late.state] : findPieceState(response);
  return (
    <section aria-label="Outcome" className="border-line border-b">
      <p className="px-4 pt-3 pb-2">
        <Badge tone={tone}>{word}</Badge>
      </p>
      {response.tested_piece ? <p className="px-4 pb-3">{TESTED_NEXT}</p> : null}
      <Messages response={response} late={late} nextStep={nextStep} piece />
    </section>
  );
}

function ResponseView({
  response,
  save,
  children,
}: {
  response: ProxyResponse;
  save: ReactNode;
  children?: ReactNode;
}) {
  const text = response.text ?? "";
  return (
    <>
      <div className="flex min-h-[51px] flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2">
        <AnswerStatus response={response} />
        {wasSent(response) ? (
          <span className="tabular-nums">{response.durationMs.toLocaleString("en")} ms</span>
        ) : null}
        {response.text === null ? null : (
          <>
            <span className="tabular-nums">{formatBytes(new TextEncoder().encode(text).length)}</span>
            <span className="ml-auto flex gap-2">
              <CopyButton text={text} />
              <DownloadLink text={text} />
            </span>
          </>
        )}
      </div>
      {children}
      {save}
      {response.request === null ? null : <ResponseParts response={response} request={response.request} />}
    </>
  );
}

/** Whether the request went to the provider. */
function wasSent(response: ProxyResponse | null): response is ProxyResponse {
  return response !== null && (response.request !== null || response.pending === true);
}

interface MessagesProps {
  response: ProxyResponse;
  /** What became of the piece since; then the answer's own words are no longer true. */
  late: Story | null;
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
      {nextStep}
      {hint ? (
        <Notice tone="info" title="Next step:">
          {hint}
        </Notice>
      ) : null}
      {response.shortfall ? null : <CreditsLine response={response} />}
    </div>
  );
}

const DATA_URL_CHARS = 500_000;

function DownloadLink({ text }: { text: string }) {
  const inline = text.length <= DATA_URL_CHARS;
  return (
    <a
      className={`button ${inline ? "" : "needs-script"}`}
      download="response.json"
      href={inline ? `data:application/json;charset=utf-8,${encodePercent(text)}` : "#answer-raw"}
      onClick={(event) => {
        const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
        event.currentTarget.href = address;
        setTimeout(() => URL.revokeObjectURL(address), 10_000);
      }}
    >
      Download
    </a>
  );
}
