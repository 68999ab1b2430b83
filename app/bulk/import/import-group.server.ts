import { loadGroups, loadRecipientPages, type ProviderGroup } from "~/outside/mail-provider/groups.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { loadDesign } from "../design.server";
import { NO_LIST } from "../messages";
import { importList } from "./import-list.server";
import { formatTooManyRows } from "./messages";
import { MAX_CELL_CHARS, MAX_COLUMNS, MAX_ROWS, type ParsedRow, type RowTaker } from "./parse-list.server";

/** Column with the provider's ID of each recipient. */
export const RECIPIENT_ID_COLUMN = "Recipient ID";
/** Columns, each with the provider's name of the detail. */
const COLUMNS: readonly (readonly [column: string, name: string])[] = [
  [RECIPIENT_ID_COLUMN, "id"],
  ["Title", "title"],
  ["First name", "firstname"],
  ["Last name", "lastname"],
  ["Company", "company"],
  ["Address line 1", "address1"],
  ["Address line 2", "address2"],
  ["City", "city"],
  ["State or county", "county"],
  ["Postcode", "postcode"],
  ["Country", "country"],
  ["E-mail", "email"],
  ["Phone", "phone_number"],
];
/** The provider's own fields, other spellings, and fields of the columns above. */
const NOT_OWN = new Set([
  ...COLUMNS.map(([, name]) => name),
  ...["account_id", "address3", "state", "town", "zipcode", "phone", "dps", "udprn", "checksum", "paffed_by"],
  ...["blacklist", "created", "updated"],
]);
/** The header is row 1. */
const FIRST_ROW = 2;

/** Lists the groups of the account that a list is sent with. Fails as the provider's call does, or with `not_found`. */
export async function listGroups(id: string): Promise<Outcome<ProviderGroup[]>> {
  const found = await findGroups(id);
  return found.ok ? succeed(found.value.groups) : found;
}

/** Replaces the rows of a list with the recipients of a group. Fails as {@link importList} does. */
export async function importGroup(
  id: string,
  groupId: string,
  viewer: Pick<Viewer, "id">,
): Promise<Outcome<number>> {
  const found = await findGroups(id);
  if (!found.ok) return found;
  const { baseUrl, groups } = found.value;
  const group = groups.find((one) => one.id === groupId);
  if (!group) return fail("bad_input", "The provider has no such group. Nothing was imported.");
  const source = {
    name: group.name,
    size: group.recipients,
    parse: (taker: RowTaker) => takeRecipients(loadRecipientPages(baseUrl, group.id), taker),
  };
  return importList(id, source, viewer);
}

async function findGroups(id: string): Promise<Outcome<{ baseUrl: string; groups: ProviderGroup[] }>> {
  const design = await withDatabase(async (db) => (await loadDesign(db, id)) ?? fail("not_found", NO_LIST));
  if (!design.ok) return design;
  const { baseUrl } = design.value;
  const groups = await loadGroups(baseUrl);
  if (groups.ok) return succeed({ baseUrl, groups: groups.value });
  const message = `The provider's groups could not be loaded. ${groups.failure.message}`;
  return { ok: false, failure: { ...groups.failure, message } };
}

/**
 * Hands the recipients of a group over as rows, each with its ID. A recipient who may not be mailed, by the provider's record,
 * is left out. The first page decides the columns; fields that the account added are columns too.
 */
export async function takeRecipients(
  pages: AsyncGenerator<Outcome<Record<string, string>[]>>,
  { batchSize, onHeader, onRows }: RowTaker,
): Promise<Outcome<number>> {
  let names: string[] | null = null;
  let count = 0;
  for await (const page of pages) {
    if (!page.ok) return page;
    if (names === null) {
      const own = [...new Set(page.value.flatMap(Object.keys))].filter((name) => !NOT_OWN.has(name));
      const listed = own.slice(0, MAX_COLUMNS - COLUMNS.length);
      names = [...COLUMNS.map(([, name]) => name), ...listed];
      onHeader([...COLUMNS.map(([column]) => column), ...listed]);
    }
    const used = names;
    if (count + page.value.length > MAX_ROWS) return fail("bad_input", formatTooManyRows(MAX_ROWS));
    for (let at = 0; at < page.value.length; at += batchSize) {
      const rows = page.value
        .slice(at, at + batchSize)
        .map((recipient, place) => toRow(recipient, used, FIRST_ROW + count + place));
      count += rows.length;
      const taken = await onRows(rows, count);
      if (!taken.ok) return taken;
    }
  }
  return count === 0 ? fail("bad_input", "The group has no recipients.") : succeed(count);
}

function toRow(recipient: Record<string, string>, names: readonly string[], number: number): ParsedRow {
  const address2 = [recipient.address2, recipient.address3].filter(Boolean).join(", ");
  const cells = names.map((name) => (name === "address2" ? address2 : (recipient[name] ?? "")));
  return {
    number,
    cells: cells.map((cell) => cell.slice(0, MAX_CELL_CHARS)),
    leftOut: recipient.blacklist === "1" ? "The provider has this recipient as not to be mailed." : null,
  };
}
