import { useFetcher, useRevalidator } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import { logAddress } from "~/api-log/api-log-view";
import type { JsonValue } from "~/catalogue/types";
import { formatCredits, formatHeldPart } from "~/credits/format-credits";
import type { PieceDetails } from "~/pieces/page/load-details.server";
import { STATE_WORDS } from "~/pieces/page/messages";
import { formatInteger } from "~/platform/format-integer";
import type { CreditOutcome, ProxyResponse } from "~/proxy/answer.schema.server";
import { Badge } from "~/ui/badge";
import { JsonTree } from "~/ui/json/json-view";
import { TextLink } from "~/ui/links";
import { Notice, ProblemNotice } from "~/ui/notice";
import { useAppears } from "~/ui/use-hydrated";
import type { Answer } from "../send/answer";
import { useCurrentAccount } from "../send/use-current-account";
import { ResponseView } from "./response-view";

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

interface AnswerViewProps {
  call: string;
  answer: Answer;
  piece: boolean;
  nextStep: (response: ProxyResponse) => ReactNode;
  save: ReactNode;
}

/** A finished send: its outcome in words; of anything but a piece also the answer itself. */
export function AnswerView({ call, answer, piece, nextStep, save }: AnswerViewProps) {
  const { response } = answer;
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
          <TextLink to={logAddress({ id: answer.requestId })}>Find this call in the API log</TextLink>
        </p>
      ) : null}
    </div>
  );
}

const POLL_MS = 2_000;

/** Polls the page of a piece with an open answer every 2 s until its outcome is known. Null before. */
function useLateOutcome(response: ProxyResponse | null): PieceDetails | null {
  const { load, data, state } = useFetcher();
  const { revalidate } = useRevalidator();
  const isOpen = response?.pending || response?.credits?.pending;
  const sendId = (isOpen && response.send_id) || null;
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

/** Finds the state of a piece after the answer to its send, in one word. */
function findPieceState(response: ProxyResponse): { word: string; tone: "ok" | "bad" | "warn" } {
  const { pending, error, request, status, credits, tested_piece: tested } = response;
  if (pending || credits?.pending) return { word: PIECE_STATES.checking, tone: "warn" };
  if (error !== null) {
    const word = request === null ? "notSent" : status === null ? "unanswered" : "refused";
    return { word: PIECE_STATES[word], tone: "bad" };
  }
  if (credits?.success && credits.creditsDeducted > 0) return { word: PIECE_STATES.sent, tone: "ok" };
  return { word: tested || !credits ? PIECE_STATES.tested : PIECE_STATES.answered, tone: "ok" };
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
    const { word, tone } = STATE_WORDS[late.state];
    return (
      <div className="px-4 pb-3">
        <Notice tone={tone === "neutral" ? "info" : tone} title={`${word}.`} urgent>
          {late.mail} {late.credits} <TextLink to={`/sends/${late.id}`}>View piece</TextLink>
        </Notice>
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
      <ProblemNotice>{error}</ProblemNotice>
      {hint ? <Notice tone="info">{hint}</Notice> : null}
      {nextStep}
      {response.shortfall ? null : <CreditsLine response={response} />}
    </div>
  );
}

/** " Balance 41, of which 1 is reserved.", or nothing where it is not known. @param held in credits */
export function formatBalance(balance: number | null, held = 0): string {
  if (balance === null) return "";
  return ` Balance ${formatInteger(balance)}${formatHeldPart(held)}.`;
}

/** Reports the credits: one line after a success or while the piece is checked, a banner after a failed deduction. */
function CreditsLine({ response }: { response: ProxyResponse }) {
  const { credits, send_id: sendId, pending } = response;
  const account = useCurrentAccount();
  if (!credits) return null;
  // The header shows what can be spent, so the balance names what it holds beside that.
  const held = account?.userId === credits.userId ? account.held : 0;
  const balance = formatBalance(credits.newBalance, held);
  const line = (
    <>
      {credits.success ? formatMoved(credits) : credits.error}
      {balance} {sendId ? <TextLink to={`/sends/${sendId}`}>View piece</TextLink> : null}
    </>
  );
  if (credits.success || pending) return <p className="tabular-nums">{line}</p>;
  return <Notice tone="warn">{line}</Notice>;
}

function formatMoved({ creditsRefunded, creditsDeducted, replayed }: CreditOutcome): string {
  const moved =
    creditsRefunded === undefined
      ? `${formatCredits(creditsDeducted)} charged`
      : `${formatCredits(creditsRefunded)} refunded`;
  return `${moved}${replayed ? " by the first send, none now" : ""}.`;
}

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
