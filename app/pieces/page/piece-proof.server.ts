import { formatCredits } from "~/credits/format-credits";
import { listChainedRows } from "~/credits/ledger/verify-ledger.server";
import { maskKey } from "~/outside/mail-provider/call/keys.server";
import { parseInlineRecipient } from "~/outside/mail-provider/request-fields";
import { toActorId } from "~/people/actor";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome } from "~/platform/outcome";
import { renderProof } from "~/print/letter/proof-pdf.server";
import { parseSentBody } from "~/recipients/addressee.server";
import { loadMailedPdf, type MailedPdf } from "../piece-pdf.server";
import { findSend } from "../send/send-record.server";
import { formatSendTag } from "../send-tag";
import { isOpen } from "../states";
import { loadPieceDetails } from "./load-details.server";

/** A start of a list: who set its credits aside, and who approved that. */
export interface ApprovedStart {
  at: Date;
  by: string;
  credits: number;
  approvedBy: string | null;
}

const NOT_MAILED = fail("not_found", "This piece was not mailed, so there is no proof of its mailing.");

/**
 * Makes the proof that a piece was mailed. It has no time of its own: as long as nothing more is known of the piece, its
 * bytes are the same. Fails with `not_found`, as the database does, or as fetching the PDF does.
 */
export async function makePieceProof(id: string): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const loaded = await loadPieceDetails(id, new Date(0));
  if (!loaded.ok) return loaded;
  const details = loaded.value;
  if (isOpen(details.state) || details.state === "refused") return NOT_MAILED;
  const mailed = await loadMailedPdf(id);
  if (!mailed.ok) return mailed;
  const records = await withDatabase(async (db) => ({
    sent: await findSend(db, id),
    starts: await listApprovedStarts(db, [id]),
    rows: await listChainedRows(db, [id]),
  }));
  if (!records.ok) return records;
  const { sent, starts, rows } = records.value;
  if (!sent) return NOT_MAILED;
  const { list, payer, price, purchases, events, request } = details;
  return renderProof({
    title: details.state === "cancelled" ? "Record of a cancelled piece" : "Proof of mailing",
    subject: `piece ${id}`,
    pdf: mailed.value.pdf,
    parts: [
      {
        heading: "Piece",
        lines: [details.title, `${details.shown.word}. ${details.mail} ${details.credits}`],
      },
      {
        heading: "Sent",
        lines: [
          `By ${[events[0]?.by, toActorId(sent.actorId, sent.via)].filter(Boolean).join(", ")}`,
          `Paid by ${payer} (${sent.userId})`,
          `Ordered ${sent.createdAt.toISOString()}`,
          ...(sent.settledAt ? [`Accepted ${sent.settledAt.toISOString()}`] : []),
          ...(list ? [`From the list ${list.name} (${list.id})`] : []),
          ...(starts.length > 0 ? starts.map(formatStart) : ["Approval was not required."]),
        ],
      },
      { heading: "To", lines: listRecipient(request.body) },
      {
        heading: "Cost",
        lines: [
          ...purchases.map(({ text }) => text),
          ...(price === null ? [] : [`The provider's price: ${price}`]),
        ],
      },
      {
        heading: "At the provider",
        lines: [
          `Sent to: ${maskKey(sent.url)}`,
          `Mail ID: ${sent.providerId ?? "—"}`,
          `Tag: ${formatSendTag(id)}`,
        ],
      },
      {
        heading: "What happened",
        lines: events.map(({ at, text, by }) => `${at.iso}  ${text}${by === "" ? "" : ` (${by})`}`),
      },
      {
        heading: "Ledger",
        lines: rows.flatMap((row) => [
          `Row ${row.id}: ${row.type} of ${row.amount}, balance ${row.balanceBefore} to ${row.balanceAfter}, ${row.at.toISOString()}`,
          `Its hash: ${row.hash}`,
          "It is the SHA-256 of this text, in one line:",
          row.text,
        ]),
      },
      { heading: "Mailed PDF", lines: [formatHash(mailed.value)] },
      { heading: "How to check this", lines: listChecks(`${env().appOrigin}/sends/${id}`) },
    ],
  });
}

/** Steps by which a stranger checks a proof. @param address of the page that the proof is linked on */
export function listChecks(address: string): string[] {
  return [
    `1. Ask the owner of ${address} for the PDF that is linked there. Its SHA-256 (sha256sum FILE) must be the one above.`,
    "2. Ask the provider for the piece with this mail ID or tag: type, address and day must be the same.",
    "3. Compute the SHA-256 of a ledger row's text, which is in the proof of its piece. The text begins with the hash of the account's row before it, so no earlier row could be changed since.",
    "4. Ask for the later rows of the account, or for its last hash (npm run verify-ledger -- --head): the chain must lead there.",
    "5. Ask for this proof again: while nothing new is known, its bytes are the same.",
  ];
}

/** "SHA-256: …", and why there is no picture. */
export function formatHash({ pdf, sha256 }: MailedPdf): string {
  if (sha256 === null) return "No copy of the provider's PDF was kept.";
  return `SHA-256: ${sha256}${pdf === null ? " (the copy was deleted after 90 days)" : ". Its first pages are drawn on the last page."}`;
}

export function formatStart({ at, by, credits, approvedBy }: ApprovedStart): string {
  const approval = approvedBy === null ? "approval was not required" : `approved by ${approvedBy}`;
  return `List started ${at.toISOString()} by ${by}, ${formatCredits(credits)} set aside, ${approval}`;
}

/** The starts of lists that sent these pieces, oldest first. */
export function listApprovedStarts(db: Db, pieceIds: readonly string[]): Promise<ApprovedStart[]> {
  return db.$queryRaw<ApprovedStart[]>`
    SELECT r.created_at AS at, coalesce(u.display_name, r.actor_id) AS by, r.amount AS credits,
      coalesce(a.display_name, r.approved_by) AS "approvedBy"
    FROM credit_reservations r LEFT JOIN users u ON u.id = split_part(r.actor_id, ' via ', 1)
      LEFT JOIN users a ON a.id = split_part(r.approved_by, ' via ', 1)
    WHERE r.id IN (SELECT credit_reservation_id FROM sends WHERE id = ANY(${[...pieceIds]}::text[]))
    ORDER BY r.created_at, r.id`;
}

function listRecipient(body: string): string[] {
  const fields = parseSentBody(body);
  const lines = Object.entries(parseInlineRecipient(fields)).map(
    ([name, value]) => `${name}: ${String(value)}`,
  );
  if (lines.length > 0) return lines;
  const id = fields.recipient;
  return [
    id === undefined
      ? "Erased, with its personal data."
      : `Recipient ${String(id)} of the provider's account`,
  ];
}
