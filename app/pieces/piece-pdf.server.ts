import { fetchProviderPdf, findPdfAddress } from "~/outside/mail-provider/provider-pdf.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { sha256 } from "~/platform/hash.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { PrismaClient } from "../../prisma/client/client";
import { NO_PIECE_PDF, PIECE_PDF_EXPIRED } from "./messages";

type Pdf = Uint8Array<ArrayBuffer>;

const LINK_MINUTES = 30;
const MOST_ATTEMPTS = 5;
const MAX_STORED_BYTES = 5 * 1024 * 1024;
export const PDF_DAYS = 90;
const BATCH_SIZE = 4;

/**
 * Copies the PDFs of pieces that were mailed in the last half hour, while the provider's links work; retries after at
 * least a minute. Deletes copies older than 90 days, but keeps their SHA-256.
 */
export const copyProviderPdfs: BackgroundTask = {
  name: "copy_provider_pdfs",
  batchSize: BATCH_SIZE,
  atOnce: BATCH_SIZE,
  claim: (limit) =>
    withDatabase(
      (db) => db.$queryRaw<{ id: string }[]>`
        INSERT INTO piece_pdfs (send_id)
        SELECT s.id FROM sends s LEFT JOIN piece_pdfs k ON k.send_id = s.id
        WHERE s.state IN ('accepted', 'cancelling', 'cancelled') AND s.erased_at IS NULL
          AND s.settled_at > now() - ${LINK_MINUTES}::int * interval '1 minute'
          AND (k.send_id IS NULL
            OR (k.pdf IS NULL AND k.attempts < ${MOST_ATTEMPTS}::int AND k.tried_at < now() - interval '1 minute'))
        ORDER BY s.settled_at LIMIT ${limit}::int
        ON CONFLICT (send_id) DO UPDATE SET attempts = piece_pdfs.attempts + 1, tried_at = now()
          WHERE piece_pdfs.pdf IS NULL AND piece_pdfs.tried_at < now() - interval '1 minute'
        RETURNING send_id AS id`,
    ),
  async work({ id }) {
    const address = await withDatabase((db) => findAddress(db, id));
    if (!address.ok || address.value === null) return address;
    const file = await fetchProviderPdf(address.value);
    return file.ok ? withDatabase((db) => storeCopy(db, id, file.value)) : file;
  },
  cleanUp: () =>
    withDatabase(
      (db) => db.$executeRaw`
        UPDATE piece_pdfs SET sha256 = encode(sha256(pdf), 'hex'), pdf = NULL
        WHERE pdf IS NOT NULL AND tried_at < now() - ${PDF_DAYS}::int * interval '1 day'`,
    ),
};

/**
 * Loads the PDF of a mailed piece: our copy, else the provider's while its link works, which is then copied. Fails
 * with `not_found`, as the database does, or as the download does.
 */
export async function loadPiecePdf(sendId: string): Promise<Outcome<Pdf>> {
  // Another text is no id, and may contain characters that the database refuses.
  if (!/^[\w-]{1,64}$/.test(sendId)) return fail("not_found", NO_PIECE_PDF);
  const found = await withDatabase(async (db) => {
    const copy = await db.piecePdf.findUnique({ where: { sendId } });
    return { pdf: copy?.pdf ?? null, address: copy?.pdf ? null : await findAddress(db, sendId) };
  });
  if (!found.ok) return found;
  const { pdf, address } = found.value;
  if (pdf) return succeed(new Uint8Array(pdf));
  if (!address) return fail("not_found", NO_PIECE_PDF);
  const file = await fetchProviderPdf(address);
  if (file.ok) await withDatabase((db) => storeCopy(db, sendId, file.value));
  else if (file.failure.code === "not_found") return fail("not_found", PIECE_PDF_EXPIRED);
  return file;
}

/** The PDF of a mailed piece, and its SHA-256, which is kept for longer; null when there is none. */
export interface MailedPdf {
  pdf: Pdf | null;
  sha256: string | null;
}

/** Loads both. Fails as {@link loadPiecePdf} does, except with `not_found`. */
export async function loadMailedPdf(sendId: string): Promise<Outcome<MailedPdf>> {
  const file = await loadPiecePdf(sendId);
  if (file.ok) return succeed({ pdf: file.value, sha256: sha256(file.value) });
  if (file.failure.code !== "not_found") return file;
  const kept = await withDatabase((db) =>
    db.piecePdf.findUnique({ where: { sendId }, select: { sha256: true } }),
  );
  return kept.ok ? succeed({ pdf: null, sha256: kept.value?.sha256 ?? null }) : kept;
}

/** Checks if the PDF of a mailed piece can be shown: from a copy, or a link that should still work. */
export async function findPiecePdf(
  db: PrismaClient,
  sendId: string,
  ageSeconds: number,
): Promise<"shown" | "too_old" | "none_given" | "not_copied"> {
  if ((await db.piecePdf.count({ where: { sendId, pdf: { not: null } } })) > 0) return "shown";
  if (ageSeconds > PDF_DAYS * 86_400) return "too_old";
  if ((await findAddress(db, sendId)) === null) return "none_given";
  return ageSeconds < LINK_MINUTES * 60 ? "shown" : "not_copied";
}

/** Stores a copy, except of a piece that was erased during the download: the lock waits for an erasure to end. */
async function storeCopy(db: PrismaClient, sendId: string, pdf: Pdf): Promise<void> {
  if (pdf.length > MAX_STORED_BYTES) return;
  await db.$executeRaw`
    WITH piece AS (SELECT id FROM sends WHERE id = ${sendId} AND erased_at IS NULL FOR SHARE)
    INSERT INTO piece_pdfs (send_id, pdf) SELECT id, ${pdf} FROM piece
    ON CONFLICT (send_id) DO UPDATE SET pdf = excluded.pdf`;
}

/** Finds the address of the PDF in the answer to the send, else in its tested piece. */
async function findAddress(db: PrismaClient, sendId: string): Promise<URL | null> {
  const [row] = await db.$queryRaw<{ answerText: string | null; testedPdfUrl: string | null }[]>`
    SELECT s.answer_text AS "answerText", p.pdf_url AS "testedPdfUrl"
    FROM sends s LEFT JOIN tested_pieces p ON p.id = s.tested_piece_id
    WHERE s.id = ${sendId} AND s.state IN ('accepted', 'cancelling', 'cancelled')`;
  if (!row) return null;
  const { pdf } = parseRecord(parseRecord(parseJson(row.answerText ?? "")).data);
  const url = typeof pdf === "string" ? pdf : row.testedPdfUrl;
  return url === null ? null : findPdfAddress(url);
}
