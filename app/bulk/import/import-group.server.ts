import {
  loadGroups,
  loadRecipientPages,
  type ProviderGroup,
} from "~/outside/mail-provider/recipients.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { RECIPIENT_FIELDS } from "~/print/layout/preview-content";
import { loadListTemplate } from "../list-template.server";
import { NO_LIST } from "../messages";
import { importList } from "./import-list.server";
import {
  findTooManyRows,
  MAX_CELL_CHARS,
  MAX_COLUMNS,
  type ParsedRow,
  type RowSource,
} from "./parse-list.server";

export const RECIPIENT_ID_COLUMN = "Recipient ID";
/** Details that the provider names otherwise than a request does. */
const PROVIDER_NAMES: Partial<Record<string, string>> = { state: "county", phone: "phone_number" };
/** Columns, each with the provider's name of the detail. */
const COLUMNS: readonly (readonly [column: string, name: string])[] = [
  [RECIPIENT_ID_COLUMN, "id"],
  ...Object.entries(RECIPIENT_FIELDS).map(([name, label]) => [label, PROVIDER_NAMES[name] ?? name] as const),
];
/** The provider's own fields, other spellings, and fields of the columns above. */
const NOT_OWN = new Set([
  ...COLUMNS.map(([, name]) => name),
  ...["account_id", "address3", "state", "town", "zipcode", "phone", "dps", "udprn", "checksum", "paffed_by"],
  ...["blacklist", "created", "updated"],
]);
/** The header is row 1. */
const FIRST_ROW = 2;

export async function listGroups(id: string): Promise<Outcome<ProviderGroup[]>> {
  const found = await findGroups(id);
  return found.ok ? succeed(found.value.groups) : found;
}

export async function importGroup(id: string, groupId: string, viewer: Pick<Viewer, "id">) {
  const found = await findGroups(id);
  if (!found.ok) return found;
  const { baseUrl, groups } = found.value;
  const group = groups.find((one) => one.id === groupId);
  if (!group) return fail("bad_input", "The provider has no such group. Nothing was imported.");
  const rows = takeRecipients(loadRecipientPages(baseUrl, group.id), group.recipients);
  return importList(id, group.name, rows, viewer);
}

async function findGroups(id: string): Promise<Outcome<{ baseUrl: string; groups: ProviderGroup[] }>> {
  const template = await withDatabase(
    async (db) => (await loadListTemplate(db, id)) ?? fail("not_found", NO_LIST),
  );
  if (!template.ok) return template;
  const { baseUrl } = template.value;
  const groups = await loadGroups(baseUrl);
  if (groups.ok) return succeed({ baseUrl, groups: groups.value });
  const message = `The provider's groups could not be loaded. ${groups.failure.message}`;
  return { ok: false, failure: { ...groups.failure, message } };
}

/**
 * Makes rows of the recipients of a group, each with its ID. A recipient who may not be mailed, by the provider's record, is left
 * out. The first page decides the columns; fields that the account added are columns too.
 */
export async function* takeRecipients(
  pages: AsyncGenerator<Outcome<Record<string, string>[]>>,
  total: number,
): RowSource {
  let own: string[] | null = null;
  let count = 0;
  for await (const page of pages) {
    if (!page.ok) return yield page;
    own ??= [...new Set(page.value.flatMap(Object.keys))]
      .filter((name) => !NOT_OWN.has(name))
      .slice(0, MAX_COLUMNS - COLUMNS.length);
    const columns = [...COLUMNS, ...own.map((name) => [name, name] as const)];
    const first = FIRST_ROW + count;
    count += page.value.length;
    const problem = findTooManyRows(count);
    if (problem !== null) return yield fail("bad_input", problem);
    yield succeed({
      columns: columns.map(([column]) => column),
      rows: page.value.map((recipient, at) => toRow(recipient, columns, first + at)),
      done: Math.min(1, count / total),
    });
  }
  if (count === 0) yield fail("bad_input", "The group has no recipients.");
}

function toRow(recipient: Record<string, string>, columns: typeof COLUMNS, number: number): ParsedRow {
  const address2 = [recipient.address2, recipient.address3].filter(Boolean).join(", ");
  const cells = columns.map(([, name]) => (name === "address2" ? address2 : (recipient[name] ?? "")));
  return {
    number,
    cells: cells.map((cell) => cell.slice(0, MAX_CELL_CHARS)),
    leftOut: recipient.blacklist === "1" ? "The provider has this recipient as not to be mailed." : null,
  };
}
