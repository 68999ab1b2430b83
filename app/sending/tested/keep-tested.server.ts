import type { MaskedAnswer } from "~/outside/mail-provider/client.server";
import { findProofAddress } from "~/outside/mail-provider/proof-file.server";
import { readVerdict } from "~/pieces/send/provider-outcome";
import { withDatabase } from "~/platform/database/database.server";
import { parseJson } from "~/platform/json-value";

import type { PreparedCall } from "../prepare.server";
import type { ProofOffer } from "../proxy-types";
import { hashProved, type ProviderProof, saveProof } from "./tested-record.server";

const MAX_WORD_CHARS = 40;
const MAX_URL_CHARS = 2_000;

/**
 * Keeps what a test proved, so that it can be promoted. Null where the provider made no sample, and without a database:
 * the test is as good, and cannot be promoted.
 */
export async function keepProof(
  answer: MaskedAnswer,
  call: PreparedCall,
  who: { actorId: string; userId: string },
): Promise<ProofOffer | null> {
  if (call.class.kind !== "mail") return null;
  const { mailType } = call.class;
  const parsed = parseJson(answer.text);
  if (readVerdict({ ...answer, parsed }).kind !== "sample") return null;
  const said = readProof((parsed as { data: Record<string, unknown> }).data);
  const hashes = hashProved(call, who.userId);
  const saved = await withDatabase((db) => saveProof(db, { ...who, ...hashes, ...said, mailType }));
  if (!saved.ok) return null;
  const shown = said.pdfUrl !== null && findProofAddress(said.pdfUrl) !== null;
  return { id: saved.value, cost: said.cost, pdf: shown ? `/proofs/${saved.value}.pdf` : null };
}

function readProof(data: Record<string, unknown>): ProviderProof {
  const read = (value: unknown, limit: number) =>
    (typeof value === "string" || typeof value === "number") && !/[\0\p{Surrogate}]/u.test(String(value))
      ? String(value).slice(0, limit + 1)
      : "";
  const word = (value: unknown) => read(value, MAX_WORD_CHARS).slice(0, MAX_WORD_CHARS) || null;
  const url = read(data.pdf, MAX_URL_CHARS);
  return {
    format: word(data.format),
    cost: word(data.cost),
    pdfUrl: url !== "" && url.length <= MAX_URL_CHARS ? url : null,
  };
}
