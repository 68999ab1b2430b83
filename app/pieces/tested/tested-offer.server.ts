import type { ProviderAnswer } from "~/outside/mail-provider/call/client.server";
import { fetchProviderPdf, findPdfAddress } from "~/outside/mail-provider/provider-pdf.server";
import { storeAfterCall, withDatabase } from "~/platform/database/database.server";
import { parseJson } from "~/platform/json-value";
import { fail, type Outcome } from "~/platform/outcome";
import { parseAddressee } from "~/recipients/addressee.server";
import { linkAddressee } from "~/recipients/match-person.server";
import type { MailCall } from "../send/mail-call.server";
import { parseProviderOutcome } from "../send/provider-outcome";
import {
  findTestedPiece,
  hashTestedCall,
  type ProviderTestResult,
  saveTestedPiece,
  type TestedPieceRecord,
} from "./tested-record.server";

/** A successful test that can be sent live. */
export interface TestedPieceOffer {
  id: string;
  /** The provider's price in its own spelling ("0.99"). */
  cost: string | null;
  /** Path of the provider's PDF here; null when it gave none that may be fetched. */
  pdf: string | null;
}

export const TESTED_PDF_NOT_FOUND = "This tested piece is no longer kept. Test again to see its PDF.";
export const TESTED_PDF_MISSING = "The provider gave no PDF for this test that can be shown here.";
const MAX_WORD_CHARS = 40;
const MAX_URL_CHARS = 2_000;

/**
 * Stores a successful test, so that it can be sent live. Null when the provider made no sample, or when no database
 * stores it: the test still counts, but cannot be sent live from here.
 */
export async function storeTestedPiece(
  answer: ProviderAnswer,
  call: MailCall,
  sender: Pick<TestedPieceRecord, "actorId" | "userId" | "recipientDetails">,
): Promise<TestedPieceOffer | null> {
  const parsed = parseJson(answer.text);
  if (parseProviderOutcome({ ...answer, parsed }).kind !== "sample") return null;
  const result = parseTestResult((parsed as { data: Record<string, unknown> }).data);
  const recipientLink = linkAddressee(parseAddressee(call.body), call.baseUrl);
  const hashes = hashTestedCall(call, sender.userId);
  const tested = { ...sender, ...hashes, ...result, mailType: call.mailType, recipientLink };
  const saved = await storeAfterCall((db) => saveTestedPiece(db, tested));
  return saved.ok ? toOffer(saved.value, result) : null;
}

/** Finds a tested piece of this person that can still be sent live; null without it, or if the database is away. */
export async function findTestedOffer(id: string, actorId: string): Promise<TestedPieceOffer | null> {
  const found = await withDatabase((db) => findTestedPiece(db, id));
  if (!found.ok || !found.value || found.value.old || found.value.actorId !== actorId) return null;
  return toOffer(id, found.value);
}

/**
 * Loads the provider's PDF of a tested piece; any signed-in person may see it. Fails with `not_found`, as the database
 * does, or as the download does.
 */
export async function loadTestedPdf(id: string): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const found = await withDatabase((db) => findTestedPiece(db, id));
  if (!found.ok) return found;
  if (!found.value) return fail("not_found", TESTED_PDF_NOT_FOUND);
  const address = found.value.pdfUrl === null ? null : findPdfAddress(found.value.pdfUrl);
  return address ? fetchProviderPdf(address) : fail("not_found", TESTED_PDF_MISSING);
}

function toOffer(id: string, { cost, pdfUrl }: ProviderTestResult): TestedPieceOffer {
  const shown = pdfUrl !== null && findPdfAddress(pdfUrl) !== null;
  return { id, cost, pdf: shown ? `/tested/${id}.pdf` : null };
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
