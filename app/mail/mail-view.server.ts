import { listUserOptions } from "~/people/stored-user.server";
import { chooseUser, orderUserOptions } from "~/people/user-option";
import type { Viewer } from "~/people/viewer.server";
import { parseStatus, STATUS_WORDS } from "~/pieces/status";
import { withDatabase } from "~/platform/database/database.server";
import { parsePreferences } from "~/platform/http/preferences.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { type PageCursor, parseCursor } from "~/platform/page-cursor";
import { formatIsoDay } from "~/platform/time";
import { listMailRecipients } from "~/recipients/list-recipients.server";
import { findPerson, type Person } from "~/recipients/person.server";
import { Prisma } from "../../prisma/client/client";
import { askToCancel } from "./cancel-chosen.server";
import { listMailItems } from "./list-items.server";
import {
  type FilterFields,
  LISTED_TYPES,
  listGiven,
  type MailList,
  type MailView,
  mailAddress,
} from "./mail-view";
import { ALL_USERS, CHECKING, NEEDS_DECISION, type PieceFilter } from "./piece-filter";
import { findRecipientsPieces, parseChosen, parsePieceFilter } from "./piece-filter.server";
import { toChips, toItemRow, toRecipientRow } from "./piece-rows.server";
import { countPieces, selectStatuses } from "./piece-sql.server";

const MOST_LISTS = 50;
const NO_LIST = { chips: [], items: [], recipients: [], confirmation: null, csv: null };

/** Loads the Mail Management tab for an address, also without a viewer or a database. */
export async function loadMailView(request: Request, viewer: Viewer | null): Promise<MailView> {
  const { searchParams } = new URL(request.url);
  const remembered = (await parsePreferences(request)).userId ?? null;
  const users = viewer ? await listUserOptions(viewer) : null;
  const options = users?.ok ? users.value : orderUserOptions([], viewer);
  const userId = searchParams.get("user_id") || (chooseUser(options, remembered)?.id ?? "");
  const person = viewer ? await findRecipient(parsePieceFilter(searchParams, userId).recipient) : null;
  // The recipient does not belong to the chosen user.
  const recipient = userId === ALL_USERS || person?.userId === userId ? person : null;
  if (person && !recipient) searchParams.delete("recipient");
  const listId = parsePieceFilter(searchParams, userId).list;
  const lists = viewer ? await listLists(userId, listId) : [];
  if (!lists.some(({ id }) => id === listId)) searchParams.delete("list");
  const view: MailView = {
    signedIn: viewer !== null,
    users: options,
    lists,
    months: listMonths(new Date()),
    filter: parseFields(searchParams, userId),
    recipient: recipient && { id: recipient.id, name: recipient.name },
    usersFailure: users && !users.ok ? users.failure : null,
    failure: null,
    list: null,
  };
  if (!viewer || view.usersFailure) return view;
  const cursor = parseCursor(searchParams.get("cursor") ?? "");
  const load = view.filter.type === "recipient" ? loadRecipients : loadPieces;
  const list = await load(view.filter, searchParams, cursor, viewer);
  return list.ok ? { ...view, list: list.value } : { ...view, failure: list.failure };
}

/** Finds the filter's recipient; null if it names none, or if the database is away, which the list reports. */
async function findRecipient(id: string | null): Promise<Person | null> {
  const found = id === null ? null : await withDatabase((db) => findPerson(db, id));
  return found?.ok ? found.value : null;
}

/** Lists the newest started lists of a user, or of all, and the filter's. None if the database is away. */
async function listLists(userId: string, listId: string | null): Promise<MailView["lists"]> {
  const loaded = await withDatabase(
    (db) => db.$queryRaw<MailView["lists"]>`
      SELECT id, name FROM bulk_lists
      WHERE (user_id = ${userId} OR ${userId} = ${ALL_USERS}) AND (started_at IS NOT NULL OR id = ${listId})
      ORDER BY id = ${listId} DESC NULLS LAST, created_at DESC LIMIT ${MOST_LISTS}::int`,
  );
  return loaded.ok ? loaded.value : [];
}

function listMonths(now: Date): MailView["months"] {
  return [0, 1, 2].map((ago) => {
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() - ago];
    const first = new Date(Date.UTC(year, month, 1));
    const name = first.toLocaleString("en", { month: "long", timeZone: "UTC" });
    return { name, from: formatIsoDay(first), to: formatIsoDay(Date.UTC(year, month + 1, 0)) };
  });
}

async function loadPieces(
  fields: FilterFields,
  parameters: URLSearchParams,
  cursor: PageCursor | null,
  viewer: Viewer,
): Promise<Outcome<MailList>> {
  const found = await findRecipientsPieces(parsePieceFilter(parameters, fields.user_id));
  if (!found.ok) return found;
  const filter = found.value;
  // First, because it fetches statuses from the provider, which the rows then show.
  const chosen = parameters.get("ask") === "cancel" ? parseChosen(parameters) : [];
  const confirmation = chosen.length > 0 ? await askToCancel(chosen, viewer) : null;
  const [page, counts] = await Promise.all([
    listMailItems({ filter, cursor }, viewer),
    countStatuses(filter),
  ]);
  if (!page.ok) return page;
  if (!counts.ok) return counts;
  const now = new Date();
  return succeed({
    ...NO_LIST,
    ...listPages(fields, cursor, page.value.nextCursor),
    items: page.value.rows.map((row) => toItemRow(row, fields.user_id === ALL_USERS, now)),
    chips: toChips(counts.value, fields.status),
    csv: `/mail/items.csv?${new URLSearchParams(listGiven(fields))}`,
    confirmation,
  });
}

async function loadRecipients(
  fields: FilterFields,
  parameters: URLSearchParams,
  cursor: PageCursor | null,
  viewer: Viewer,
): Promise<Outcome<MailList>> {
  const all = fields.user_id === ALL_USERS;
  const query = { userId: all ? null : fields.user_id, search: fields.q || null, cursor };
  const page = await listMailRecipients(query, viewer);
  if (!page.ok) return page;
  const now = new Date();
  const recipients = page.value.rows.map((row) => toRecipientRow(row, all, now));
  const chosen = recipients.find(({ id }) => id === parameters.get("delete"));
  const confirmation = chosen && {
    ids: [chosen.id],
    userId: chosen.userId,
    title: `Delete ${chosen.name}?`,
    message: `${chosen.name} will be deleted at the provider and here. Mail already sent stays.`,
    possible: chosen.recipientId !== null,
  };
  const csv = `/mail/recipients.csv?${new URLSearchParams(listGiven({ user_id: fields.user_id, q: fields.q }))}`;
  const pages = listPages(fields, cursor, page.value.nextCursor);
  return succeed({ ...NO_LIST, ...pages, recipients, confirmation: confirmation ?? null, csv });
}

function listPages(fields: FilterFields, cursor: PageCursor | null, nextCursor: string | null) {
  return {
    older: nextCursor === null ? null : mailAddress({ ...fields, cursor: nextCursor }),
    newest: cursor === null ? null : mailAddress(fields),
  };
}

/** Parses the filter for its form; invalid values are left empty. */
function parseFields(parameters: URLSearchParams, userId: string): FilterFields {
  const filter = parsePieceFilter(parameters, userId);
  const type = LISTED_TYPES.find((known) => known === parameters.get("type")) ?? "";
  const pieces = type !== "recipient";
  return {
    user_id: userId,
    type,
    status: (pieces && parseStatus(parameters.get("status"))) || "",
    q: filter.search ?? "",
    from: pieces && filter.from ? formatIsoDay(filter.from) : "",
    to: pieces && filter.before ? formatIsoDay(filter.before.getTime() - 1) : "",
    tests: pieces && filter.tests ? "1" : "",
    recipient: (pieces && filter.recipient) || "",
    list: (pieces && filter.list) || "",
  };
}

/** Limit of counting, so that a long list costs no more than a short one. */
const MAX_COUNT = 1_000;
/** Limit of the rows of a list, all of which are counted. */
const MAX_OF_LIST = 50_000;
const STATUSES: readonly string[] = [CHECKING, NEEDS_DECISION, ...STATUS_WORDS];

/** The number of pieces with a status; `status` is null for all pieces. */
interface Count {
  status: string | null;
  count: number;
  /** More than `count`. */
  more: boolean;
}

/**
 * Counts the pieces of a filter in all, then by status, whatever status it names; statuses without pieces are left out.
 * Counts up to 1,000 each, by index. Fails as the database does.
 */
export async function countStatuses(filter: PieceFilter): Promise<Outcome<Count[]>> {
  if (filter.search !== null || filter.list !== null) return countFound(filter);
  const statuses = STATUSES.filter((status) => filter.tests || status !== "test");
  const counts = [null, ...statuses].map((status) => countPieces({ ...filter, status }, MAX_COUNT + 1));
  return withDatabase(async (db) => {
    const [found] = await db.$queryRaw<{ counts: number[] }[]>`
      SELECT ARRAY[${Prisma.join(counts)}] AS counts`;
    return [null, ...statuses].flatMap((status, place) => {
      const count = found?.counts[place] ?? 0;
      if (count === 0 && status !== null) return [];
      return [{ status, count: Math.min(count, MAX_COUNT), more: count > MAX_COUNT }];
    });
  });
}

/** Counts the first 1,000 of each type that a search finds, and all pieces of a list. */
function countFound(filter: PieceFilter): Promise<Outcome<Count[]>> {
  const most = filter.list === null ? MAX_COUNT : MAX_OF_LIST;
  return withDatabase(async (db) => {
    const found = await db.$queryRaw<{ status: string; count: number }[]>`
      SELECT status, count(*)::int AS count FROM (${selectStatuses({ ...filter, status: null }, most + 1)}) p
      GROUP BY status`;
    const total = found.reduce((sum, { count }) => sum + count, 0);
    const more = total > most;
    const counts = found
      .map((counted) => ({ ...counted, more }))
      .sort((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status));
    return [{ status: null, count: Math.min(total, most), more }, ...counts];
  });
}
