import { withDatabase } from "~/platform/database/database.server";
import { parseRecord } from "~/platform/json-value";
import { type Outcome, succeed } from "~/platform/outcome";
import { checkFieldsOnServer, readFileFacts, readPdfOnServer } from "~/print/artwork/check-file.server";
import { type Finding, toCameBack } from "~/print/layout/finding";
import { listFindings } from "~/print/layout/findings";
import { selectLetterText } from "~/print/layout/layout";
import { readPreviewState } from "~/print/layout/preview-content";
import { drawLetter } from "~/print/letter/draw-letter.server";
import { EMPTY_DRAWING, findPageSize } from "~/print/letter/page";
import { parseAddressee } from "~/recipients/addressee.server";
import { findReturned } from "./returned-addresses.server";
import type { MailCall } from "./send/mail-call.server";
import { findMissing } from "./send/mail-fields";

/**
 * Lists the findings of a piece: what sending would refuse, what would be printed wrong, and whether mail to its address came
 * back. Sends, stores and charges nothing. Fails with `too_complex` or `overloaded`, or as the database does.
 */
export async function preflight({
  path,
  mailType,
  home,
  baseUrl,
  body,
}: MailCall): Promise<Outcome<Finding[]>> {
  const fields = parseRecord(body);
  const files = await checkFieldsOnServer(path, fields);
  if (!files.ok) return files;
  const returned = await withDatabase((db) => findReturned(db, parseAddressee(fields), baseUrl));
  if (!returned.ok) return returned;
  const state = readPreviewState(mailType, fields, home, await readFileFacts(path, fields));
  const text = selectLetterText(state);
  const drawn = text === null ? null : await drawLetter(text, findPageSize(home));
  const letter = drawn && {
    drawing: drawn.ok ? drawn.value : EMPTY_DRAWING,
    problem: drawn.ok ? null : drawn.failure.message,
  };
  // A file that is refused is not read.
  const pdf = files.value.length > 0 ? null : await readPdfOnServer(mailType, fields);
  const missing = findMissing(path, fields);
  // A letter's text becomes its file.
  const lacks = missing === "content" && text !== null && text !== "" ? null : missing;
  const ruins = { tone: "ruins", code: "refused" } as const;
  return succeed([
    ...files.value.map(({ field, message }): Finding => ({ ...ruins, field, text: message })),
    ...(lacks ? [{ ...ruins, field: null, text: `This ${mailType} has no ${lacks}.` }] : []),
    ...(returned.value ? [toCameBack(returned.value)] : []),
    // Sending refuses a placeholder without a value.
    ...listFindings(state, letter, pdf).map(
      (finding): Finding => (finding.code === "no_value" ? { ...finding, tone: "ruins" } : finding),
    ),
  ]);
}
