import { LETTER_COUNTRIES, POSTCARD_COUNTRIES } from "~/catalogue/options";
import { type AddressVerdict, canOverride } from "~/pieces/address-note";
import type { MailType } from "~/pieces/mail-type";
import { buildMailCall } from "~/pieces/send/mail-call.server";
import type { PieceOrder } from "~/pieces/send/piece-order.server";
import type { Db } from "~/platform/database/client";
import { parseJson, parseRecord } from "~/platform/json-value";
import { type Outcome, succeed } from "~/platform/outcome";
import { readFileFacts, readPdfOnServer } from "~/print/artwork/check-file.server";
import { listFindings } from "~/print/layout/findings";
import { type PreviewState, readPreviewState } from "~/print/layout/preview-content";
import { addDefaults, fillVariables, listVariables } from "~/print/merge/merge";
import type { BulkList, Design } from "./bulk-list";
import { listFallbacks, parseRow } from "./columns";

/** Caches designs, so that each is read once and not for each row. */
const cached = new Map<string, Design>();
const MAX_CACHED = 4;
const ARTWORK = ["front", "back", "signature", "file"];

/** Loads the design of a list, which never changes; null when there is no such list. */
export async function loadDesign(db: Db, listId: string): Promise<Design | null> {
  const known = cached.get(listId);
  if (known) return known;
  const [row] = await db.$queryRaw<{ design: string }[]>`SELECT design FROM bulk_lists WHERE id = ${listId}`;
  if (!row) return null;
  const stored = JSON.parse(row.design) as Design;
  const design = { ...stored, facts: await readFileFacts(stored.path, stored.body) };
  const [oldest] = cached.keys();
  if (cached.size >= MAX_CACHED && oldest !== undefined) cached.delete(oldest);
  cached.set(listId, design);
  return design;
}

/** Loads a design as {@link loadDesign} does, with its warnings and the content of its PDF for the check of rows. */
export async function loadDesignToCheck(db: Db, listId: string): Promise<Design | null> {
  const design = await loadDesign(db, listId);
  if (design && !design.warnings) {
    design.pdf = await readPdfOnServer(findType(design), design.body);
    design.warnings = listWarnings(design);
  }
  return design;
}

/** Lists what each row would print wrong, whatever its cells are. */
function listWarnings(design: Design): string[] {
  const isFilled = listPlaceholders(design).length > 0;
  const text = findType(design) === "letter" ? "content" : "message";
  return listFindings(buildPreview(design, design.body), null, design.pdf)
    .filter(({ tone, field }) => tone === "warn" && !(isFilled && field === text))
    .map(({ text }) => text);
}

function findType({ path }: Pick<Design, "path">): MailType {
  return path.startsWith("letters/") ? "letter" : "postcard";
}

/** Empties the cache after designs were erased. */
export function forgetDesigns(): void {
  cached.clear();
}

/** Selects the text that is filled for each row; "" when a PDF or the provider's template has it. */
function selectText({ path, body }: Pick<Design, "path" | "body">): string {
  const text = path.startsWith("letters/") ? (body.template || body.file ? "" : body.content) : body.message;
  return typeof text === "string" ? text : "";
}

/** Lists the placeholders of the text; a provider's template may have more. */
export function listPlaceholders(design: Pick<Design, "path" | "body">): string[] {
  return listVariables(selectText(design));
}

/** Lists the placeholders without a default, such as `{company|you}` has. */
export function listRequired(design: Pick<Design, "path" | "body">): string[] {
  return fillVariables(selectText(design), null, null).unknown;
}

/** Lists warnings about parts that the provider fetches when a row is sent: a test or an approval does not fix them. */
export function listAtProvider({ body }: Pick<Design, "body">): string[] {
  const isFetched = ARTWORK.some((field) => /^https?:/i.test(String(body[field] ?? "").trim()));
  const warnings: string[] = [];
  if (isFetched) {
    warnings.push("The provider fetches this picture when each row is sent. It can differ from the test.");
  }
  if (body.template) {
    warnings.push(
      "The template is the provider's. A change there after the test also changes what is mailed.",
    );
  }
  return warnings;
}

export function listCountries(mailType: MailType): readonly string[] {
  return mailType === "postcard" ? POSTCARD_COUNTRIES : LETTER_COUNTRIES;
}

export type RowRules = ReturnType<typeof buildRules>;

/** Builds the rules that the rows of a list are checked against. */
export function buildRules(
  { mapping, columns, mailType, country }: Pick<BulkList, "mapping" | "columns" | "mailType" | "country">,
  design: Design,
) {
  return {
    mapping,
    /** Columns of the header. */
    columns: columns.length,
    /** The text to fill, with its defaults; "" when the provider fills its template. */
    text: addDefaults(selectText(design), listFallbacks(mapping)),
    /** The design's own variables, as JSON text or an object. */
    variables: design.body.variables,
    /** ISO codes of countries that mail can be sent to. */
    countries: listCountries(mailType),
    /** The country of rows without one; "" when each row must name it. */
    country,
  };
}

/** Fields of a request. */
type Fields = Record<string, unknown>;

/** Builds the fields of a row's piece: the design, its recipient and its variables. */
export function buildBody(design: Design, cells: readonly string[], rules: RowRules): Fields {
  const { recipient, variables } = parseRow(cells, rules);
  const merged = mergeVariables(design.body.variables, variables);
  return {
    ...design.body,
    ...(rules.text === "" ? {} : { [findType(design) === "letter" ? "content" : "message"]: rules.text }),
    recipient,
    ...(Object.keys(merged).length > 0 ? { variables: JSON.stringify(merged) } : {}),
  };
}

/** Merges the design's variables with those of a row, which win. */
export function mergeVariables(design: unknown, row: Record<string, string>): Fields {
  return { ...parseRecord(typeof design === "string" ? parseJson(design) : design), ...row };
}

/** Builds the preview of a row's piece. @param fields from {@link buildBody} */
export function buildPreview(design: Design, fields: Fields): PreviewState {
  const files = Object.entries(design.files).map(([field, name]) => {
    return [field, { name, facts: design.facts?.[field]?.facts }];
  });
  return readPreviewState(findType(design), fields, design.home, Object.fromEntries(files));
}

/** Builds the order of a row's piece. @param fields from {@link buildBody} */
export function buildOrder(
  design: Design,
  fields: Fields,
  about: { test: boolean; verdict: AddressVerdict | null } & Pick<
    PieceOrder,
    "payerId" | "idempotencyKey" | "creditReservationId"
  >,
): Outcome<PieceOrder> {
  const { verdict, test, ...rest } = about;
  const { path, baseUrl } = design;
  const call = buildMailCall({ path, test, fields, baseUrl });
  if (!call.ok) return call;
  return succeed({
    ...rest,
    call: call.value,
    testedPieceId: null,
    knownDuplicate: undefined,
    // A person allowed each row whose address was not found.
    addressCheck: verdict && { verdict, overridden: canOverride(verdict) },
    // The page of each piece has its request and answer.
    formatSaved: null,
  });
}
