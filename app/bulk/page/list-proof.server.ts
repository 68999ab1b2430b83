import { formatCredits } from "~/credits/format-credits";
import { listChainedRows } from "~/credits/ledger/verify-ledger.server";
import { formatHash, formatStart, listApprovedStarts, listChecks } from "~/pieces/page/piece-proof.server";
import { loadMailedPdf } from "~/pieces/piece-pdf.server";
import type { PieceState } from "~/pieces/states";
import { findShownStatus } from "~/pieces/status";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome } from "~/platform/outcome";
import { renderProof } from "~/print/letter/proof-pdf.server";
import { type BulkList, loadList } from "../list-record.server";

/** About 40 pages; a longer list has several proofs. */
export const PROOF_ROWS = 250;

const MOST_ADDRESS_CHARS = 200;

/** States of pieces that a proof lists. */
export const MAILED: PieceState[] = ["accepted", "cancelling", "cancelled"];
const NOTHING_MAILED = fail(
  "not_found",
  "Nothing of this part of the list was mailed, so there is no proof of it.",
);

interface ProvenRow {
  id: string;
  number: number;
  cells: string;
  state: PieceState;
  status: string | null;
  statusAt: Date | null;
  providerId: string | null;
  charged: number;
  sentAt: Date;
  pdfHash: string | null;
}

/** Renders a proof that the pieces of a list were mailed, {@link PROOF_ROWS} in each part. */
export async function makeListProof(id: string, part: number): Promise<Outcome<Uint8Array<ArrayBuffer>>> {
  const list = await loadList(id);
  if (!list.ok) return list;
  const loaded = await withDatabase(async (db) => {
    const rows = await loadRows(db, id, part);
    const pieces = rows.map((row) => row.id);
    const [first] = rows;
    if (!first) return NOTHING_MAILED;
    return {
      first,
      rows,
      starts: await listApprovedStarts(db, pieces),
      ledger: await listChainedRows(db, pieces),
      facts: await loadAbout(db, id),
    };
  });
  if (!loaded.ok) return loaded;
  const { first, rows, starts, ledger, facts } = loaded.value;
  if (!facts) return NOTHING_MAILED;
  const mailed = await loadMailedPdf(first.id);
  if (!mailed.ok) return mailed;
  const { name, mailType, mapping, createdAt } = list.value;
  const from = (part - 1) * PROOF_ROWS + 1;
  return renderProof({
    title: "Proof of mailing",
    subject: `list ${id}`,
    pdf: mailed.value.pdf,
    parts: [
      {
        heading: "List",
        lines: [
          name,
          `Pieces ${from} to ${from + rows.length - 1} of ${facts.total}, each a ${mailType}`,
          `Charged for these: ${formatCredits(rows.reduce((sum, row) => sum + (row.state === "cancelled" ? 0 : row.charged), 0))}`,
          `Made ${createdAt.toISOString()} by ${facts.maker}, paid by ${facts.payer}`,
          ...starts.map(formatStart),
          `Template, SHA-256: ${facts.templateHash}`,
        ],
      },
      { heading: "How to check this", lines: listChecks(`${env().appOrigin}/bulk/${id}`) },
      { heading: `Mailed PDF of row ${first.number}`, lines: [formatHash(mailed.value)] },
      {
        heading: "Pieces",
        lines: rows.flatMap((row) => [
          `Row ${row.number}: ${formatAddress(row.cells, mapping)}`,
          `Sent ${row.sentAt.toISOString()}, ${findShownStatus(row.state, row.status).word.toLowerCase()}${row.statusAt ? ` ${row.statusAt.toISOString()}` : ""}`,
          `Mail ID ${row.providerId ?? "—"}, piece ${row.id}, ${formatCredits(row.charged)}`,
          ...ledger
            .filter(({ pieceId }) => pieceId === row.id)
            .map((entry) => `Ledger row ${entry.id}, ${entry.type} of ${entry.amount}: ${entry.hash}`),
          // The first PDF may have been stored only now.
          `PDF: ${(row === first ? mailed.value.sha256 : row.pdfHash) ?? "—"}`,
          "",
        ]),
      },
    ],
  });
}

/** Formats the recipient's cells of a row, without those of placeholders. */
function formatAddress(cells: string, mapping: BulkList["mapping"]): string {
  const own = (JSON.parse(cells) as string[]).filter(
    (cell, at) => cell && mapping[at] && !mapping[at].startsWith("{"),
  );
  return own.join(", ").slice(0, MOST_ADDRESS_CHARS) || "—";
}

function loadRows(db: Db, id: string, part: number): Promise<ProvenRow[]> {
  return db.$queryRaw<ProvenRow[]>`
    SELECT s.id, r.number, r.cells, s.state, i.status,
      i.status_at AS "statusAt", s.provider_id AS "providerId", s.charged, s.created_at AS "sentAt",
      coalesce(p.sha256, encode(sha256(p.pdf), 'hex')) AS "pdfHash"
    FROM bulk_rows r JOIN sends s ON s.id = r.send_id JOIN mail_items i ON i.send_id = s.id
      LEFT JOIN piece_pdfs p ON p.send_id = s.id
    WHERE r.list_id = ${id} AND s.state = ANY(${MAILED}::text[])
    ORDER BY r.number LIMIT ${PROOF_ROWS}::int OFFSET ${(part - 1) * PROOF_ROWS}::int`;
}

/** Loads the people of a list, the hash of its template, and the number of mailed pieces. */
async function loadAbout(db: Db, id: string) {
  const [row] = await db.$queryRaw<{ maker: string; payer: string; templateHash: string; total: number }[]>`
    SELECT coalesce(m.display_name, l.actor_id) AS maker, p.display_name AS payer,
      encode(sha256(convert_to(l.design, 'UTF8')), 'hex') AS "templateHash",
      (SELECT count(*)::int FROM bulk_rows r JOIN sends s ON s.id = r.send_id
        WHERE r.list_id = l.id AND s.state = ANY(${MAILED}::text[])) AS total
    FROM bulk_lists l JOIN users p ON p.id = l.user_id LEFT JOIN users m ON m.id = l.actor_id WHERE l.id = ${id}`;
  return row;
}
