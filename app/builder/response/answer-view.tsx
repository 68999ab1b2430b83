import type { ReactNode } from "react";
import { encodePercent } from "~/platform/percent-encoding";
import type { ProxyResponse } from "~/sending/proxy-types";
import { STATE_WORDS } from "~/story/messages";
import type { Story } from "~/story/story";
import { Badge } from "~/ui/badge";
import { CopyButton } from "~/ui/copy-button";
import { formatBytes } from "~/ui/format-bytes";
import { Notice } from "~/ui/notice";
import { type Answer, wasSent } from "./answer";
import { AnswerStatus } from "./answer-status";
import { CreditsLine, LateOutcome } from "./credits-line";
import { STOPPED, TESTED_NEXT } from "./messages";
import { findPieceState } from "./piece-state";
import { ResponseParts } from "./response-parts";
import { useLateOutcome } from "./use-late-outcome";

/** A finished send: its outcome in words; of anything but a piece also the answer itself. */
export function AnswerView({
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
      {hint ? (
        <Notice tone="info" title="Next step:">
          {hint}
        </Notice>
      ) : null}
      {nextStep}
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
