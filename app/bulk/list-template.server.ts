import { LETTER_COUNTRIES, POSTCARD_COUNTRIES } from "~/catalogue/options";
import { type AddressVerdict, canOverride } from "~/pieces/address-note";
import type { MailType } from "~/pieces/mail-type";
import { buildMailCall } from "~/pieces/send/mail-call.server";
import type { PieceOrder } from "~/pieces/send/piece-order.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { type Failed, fail, type Outcome, succeed } from "~/platform/outcome";
import { readFileFacts, readPdfOnServer } from "~/print/artwork/check-file.server";
import { listFindings } from "~/print/layout/findings";
import { type PreviewState, readPreviewState } from "~/print/layout/preview-content";
import { addDefaults, fillVariables, listVariables } from "~/print/merge/merge";
import type { PrismaClient } from "../../prisma/client/client";
import type { ListTemplate } from "./bulk-list";
import { listFallbacks, listShared, parseRow } from "./columns";
import { type BulkList, findList } from "./list-record.server";
import { NO_LIST } from "./messages";

/** Caches templates, which never change. */
const cached = new Map<string, ListTemplate>();
const MAX_CACHED = 4;
const ARTWORK = ["front", "back", "signature", "file"];

/** Loads the template of a list; null when there is no such list. */
export async function loadListTemplate(db: Db, listId: string): Promise<ListTemplate | null> {
  const known = cached.get(listId);
  if (known) return known;
  const [row] = await db.$queryRaw<{ template: string }[]>`
    SELECT design AS template FROM bulk_lists WHERE id = ${listId}`;
  if (!row) return null;
  const stored = JSON.parse(row.template) as ListTemplate;
  const template = { ...stored, facts: await readFileFacts(stored.path, stored.body) };
  const [oldest] = cached.keys();
  if (cached.size >= MAX_CACHED && oldest !== undefined) cached.delete(oldest);
  cached.set(listId, template);
  return template;
}

/** A list, its template and the rules of its rows. */
export type ListToSend = { list: BulkList; template: ListTemplate; rules: RowRules };

export async function findListToSend(db: Db, id: string): Promise<ListToSend | null> {
  const list = await findList(db, id);
  const template = list && (await loadListTemplate(db, id));
  return list && template && { list, template, rules: buildRules(list, template) };
}

/** Runs `work` on a list, whose template has its warnings and the content of its PDF. Fails as `withList` does. */
export function withTemplate<T>(
  id: string,
  work: (db: PrismaClient, loaded: ListToSend) => Promise<T | Failed>,
): Promise<Outcome<T>> {
  return withDatabase(async (db) => {
    const loaded = await findListToSend(db, id);
    if (!loaded) return fail("not_found", NO_LIST);
    const { template } = loaded;
    if (!template.warnings) {
      template.pdf = await readPdfOnServer(findType(template), template.body);
      template.warnings = listWarnings(template);
    }
    return work(db, loaded);
  });
}

/** Lists the printing faults that all rows have, whatever their cells contain. */
function listWarnings(template: ListTemplate): string[] {
  const isFilled = listPlaceholders(template).length > 0;
  const filled = findType(template) === "letter" ? "content" : "message";
  return listFindings(buildPreview(template, template.body), null, template.pdf)
    .filter(({ tone, field }) => tone === "warn" && !(isFilled && field === filled))
    .map(({ text }) => text);
}

function findType({ path }: ListTemplate): MailType {
  return path.startsWith("letters/") ? "letter" : "postcard";
}

/** Empties the cache after templates were erased. */
export function forgetTemplates(): void {
  cached.clear();
}

/** Selects the text that is filled for each row; "" when a PDF or the provider's template has it. */
function selectText({ path, body }: ListTemplate): string {
  const text = path.startsWith("letters/") ? (body.template || body.file ? "" : body.content) : body.message;
  return typeof text === "string" ? text : "";
}

/** Lists the placeholders of the text; a provider's template may have more. */
export function listPlaceholders(template: ListTemplate): string[] {
  return listVariables(selectText(template));
}

/** Lists the placeholders without a default, such as `{company|you}` has, or a variable of the template. */
export function listRequired(template: ListTemplate): string[] {
  return fillVariables(selectText(template), null, template.body.variables).unknown;
}

/** Lists warnings about parts that the provider fetches when a row is sent: a test or an approval does not fix them. */
export function listAtProvider({ body }: ListTemplate): string[] {
  const isFetched = ARTWORK.some((field) => /^https?:/i.test(String(body[field] ?? "").trim()));
  return [
    isFetched ? "The provider fetches this picture when each row is sent. It can differ from the test." : "",
    body.template
      ? "The template is the provider's. A change there after the test also changes what is mailed."
      : "",
  ].filter(Boolean);
}

export function listCountries(mailType: MailType): readonly string[] {
  return mailType === "postcard" ? POSTCARD_COUNTRIES : LETTER_COUNTRIES;
}

export type RowRules = ReturnType<typeof buildRules>;

/** Builds the rules that the rows of a list are checked against. */
export function buildRules(
  { mapping, columns, mailType, country }: Pick<BulkList, "mapping" | "columns" | "mailType" | "country">,
  template: ListTemplate,
) {
  const variables = mergeVariables(template.body.variables, {});
  return {
    mapping,
    /** Placeholders that a part of the address fills. */
    shared: listShared(mapping, listPlaceholders(template)).filter(
      ({ name }) => !Object.hasOwn(variables, name),
    ),
    /** Columns of the header. */
    columns: columns.length,
    /** The text to fill, with its defaults; "" when the provider fills its template. */
    text: addDefaults(selectText(template), listFallbacks(mapping, listPlaceholders(template))),
    /** The template's own variables, as JSON text or an object. */
    variables: template.body.variables,
    /** ISO codes of countries that mail can be sent to. */
    countries: listCountries(mailType),
    /** The country of rows without one; "" when each row must name it. */
    country,
  };
}

/** Fields of a request. */
type Fields = Record<string, unknown>;

/** Builds the fields of a row's piece: the template, its recipient and its variables. */
export function buildBody(template: ListTemplate, cells: readonly string[], rules: RowRules): Fields {
  const { recipient, variables } = parseRow(cells, rules);
  const merged = mergeVariables(template.body.variables, variables);
  return {
    ...template.body,
    ...(rules.text === "" ? {} : { [findType(template) === "letter" ? "content" : "message"]: rules.text }),
    recipient,
    ...(Object.keys(merged).length > 0 ? { variables: JSON.stringify(merged) } : {}),
  };
}

/** Merges the template's variables with those of a row, which win. */
export function mergeVariables(template: unknown, row: Record<string, string>): Fields {
  return { ...parseRecord(typeof template === "string" ? parseJson(template) : template), ...row };
}

/** Builds the preview of a row's piece. @param fields from {@link buildBody} */
export function buildPreview(template: ListTemplate, fields: Fields): PreviewState {
  const files = Object.entries(template.files).map(([field, name]) => {
    return [field, { name, facts: template.facts?.[field]?.facts }];
  });
  return readPreviewState(findType(template), fields, template.home, Object.fromEntries(files));
}

/** Builds the order of a row's piece. @param fields from {@link buildBody} */
export function buildOrder(
  template: ListTemplate,
  fields: Fields,
  test: boolean,
  order: Pick<PieceOrder, "payerId" | "idempotencyKey" | "creditReservationId" | "knownDuplicate">,
  verdict: AddressVerdict | null,
): Outcome<PieceOrder> {
  const { path, baseUrl } = template;
  const call = buildMailCall({ path, test, fields, baseUrl });
  if (!call.ok) return call;
  return succeed({
    ...order,
    call: call.value,
    testedPieceId: null,
    // A person allowed each row whose address was not found.
    addressCheck: verdict && { verdict, overridden: canOverride(verdict) },
    // The page of each piece has its request and answer.
    formatSaved: null,
  });
}
