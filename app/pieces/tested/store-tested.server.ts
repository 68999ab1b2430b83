import type { ProviderAnswer } from "~/outside/mail-provider/call/client.server";
import { storeAfterCall } from "~/platform/database/store-after-call.server";
import { parseJson } from "~/platform/json-value";
import { parseAddressee } from "~/recipients/addressee.server";
import { linkAddressee } from "~/recipients/match-person.server";
import type { MailCall } from "../send/mail-call.server";
import { parseProviderOutcome } from "../send/provider-outcome";
import { type TestedPieceOffer, toTestedOffer } from "./tested-offer.server";
import {
  hashTestedCall,
  type ProviderTestResult,
  saveTestedPiece,
  type TestedPieceRecord,
} from "./tested-record.server";

const MAX_WORD_CHARS = 40;
const MAX_URL_CHARS = 2_000;

/**
 * Stores a successful test, so that it can be sent live. Null where the provider made no sample, and where no database
 * takes it: the test counts all the same, but cannot be sent live from here.
 */
export async function storeTestedPiece(
  answer: ProviderAnswer,
  call: MailCall,
  who: Pick<TestedPieceRecord, "actorId" | "userId" | "recipientDetails">,
): Promise<TestedPieceOffer | null> {
  const { mailType } = call;
  const parsed = parseJson(answer.text);
  if (parseProviderOutcome({ ...answer, parsed }).kind !== "sample") return null;
  const result = parseTestResult((parsed as { data: Record<string, unknown> }).data);
  const hashes = hashTestedCall(call, who.userId);
  const recipientLink = linkAddressee(parseAddressee(call.body), call.baseUrl);
  const tested = { ...who, ...hashes, ...result, mailType, recipientLink };
  const saved = await storeAfterCall((db) => saveTestedPiece(db, tested));
  if (!saved.ok) return null;
  return toTestedOffer(saved.value, result);
}

function parseTestResult(data: Record<string, unknown>): ProviderTestResult {
  const parseText = (value: unknown, limit: number) =>
    (typeof value === "string" || typeof value === "number") && !/[\0\p{Surrogate}]/u.test(String(value))
      ? String(value).slice(0, limit + 1)
      : "";
  const parseWord = (value: unknown) => parseText(value, MAX_WORD_CHARS).slice(0, MAX_WORD_CHARS) || null;
  const url = parseText(data.pdf, MAX_URL_CHARS);
  return {
    format: parseWord(data.format),
    cost: parseWord(data.cost),
    pdfUrl: url !== "" && url.length <= MAX_URL_CHARS ? url : null,
  };
}
