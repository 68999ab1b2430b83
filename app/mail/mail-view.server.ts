import { listUserOptions } from "~/people/stored-user.server";
import { chooseUser, orderUserOptions } from "~/people/user-option";
import type { Viewer } from "~/people/viewer.server";
import { findCancelObstacle } from "~/pieces/mail-item";
import { isOpen } from "~/pieces/states";
import {
  findShownStatus,
  findStatus,
  formatStatus,
  parseStatus,
  type StatusTone,
  toneOf,
} from "~/pieces/status";
import { withDatabase } from "~/platform/database/database.server";
import { parsePreferences } from "~/platform/http/preferences.server";
import { succeed, type ValueOf } from "~/platform/outcome";
import { type PageCursor, parseCursor } from "~/platform/page-cursor";
import { formatIsoDay } from "~/platform/time";
import { buildAddress } from "~/platform/url";
import { NO_RECIPIENT_ID } from "~/recipients/delete-recipient.server";
import { listMailRecipients, type MailRecipient } from "~/recipients/list-recipients.server";
import { findPerson, type Person } from "~/recipients/person.server";
import { formatMomentIfValid } from "~/ui/moment";
import { loadCancelQuestion } from "./cancel-question.server";
import { type Count, countStatuses, type ListedPiece, listMailItems } from "./list-items.server";
import { HELD, mailAddress } from "./mail-address";
import {
  ALL_USERS,
  CHECKING,
  type FilterFields,
  isOpenStatus,
  LISTED_TYPES,
  MAILED,
  NEEDS_DECISION,
} from "./piece-filter";
import { findRecipientsPieces, parseChosen, parsePieceFilter } from "./piece-filter.server";

export type MailView = Awaited<ReturnType<typeof loadMailView>>;
export type ItemRow = ReturnType<typeof toItemRow>;
export type RecipientRow = ReturnType<typeof toRecipientRow>;
export type StatusChip = ReturnType<typeof toChips>[number];

export type ListedPieces = ValueOf<typeof loadPieces>;
export type ListedRecipients = ValueOf<typeof loadRecipients>;

const MOST_LISTS = 50;

/** Loads the Mail Management tab for an address, also without a viewer or a database. */
export async function loadMailView(request: Request, viewer: Viewer | null) {
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
  const view = {
    signedIn: viewer !== null,
    users: options,
    /** Lists to filter by, the newest first. */
    lists,
    /** The last months, the present one first, as days of the filter. */
    months: listMonths(new Date()),
    filter: parseFields(searchParams, userId),
    /** The recipient of all listed pieces; null when the filter names none, or the id is unknown. */
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
async function listLists(userId: string, listId: string | null): Promise<{ id: string; name: string }[]> {
  const loaded = await withDatabase(
    (db) => db.$queryRaw<{ id: string; name: string }[]>`
      SELECT id, name FROM bulk_lists
      WHERE (user_id = ${userId} OR ${userId} = ${ALL_USERS}) AND (started_at IS NOT NULL OR id = ${listId})
      ORDER BY id = ${listId} DESC NULLS LAST, created_at DESC LIMIT ${MOST_LISTS}::int`,
  );
  return loaded.ok ? loaded.value : [];
}

function listMonths(now: Date) {
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
) {
  const found = await findRecipientsPieces(parsePieceFilter(parameters, fields.user_id));
  if (!found.ok) return found;
  const filter = found.value;
  // First, because it fetches statuses from the provider, which the rows then show.
  const chosen = parameters.get("ask") === "cancel" ? parseChosen(parameters) : [];
  const confirmation = chosen.length > 0 ? await loadCancelQuestion(chosen, viewer) : null;
  const [page, counts] = await Promise.all([
    listMailItems({ filter, cursor }, viewer),
    countStatuses(filter),
  ]);
  if (!page.ok) return page;
  if (!counts.ok) return counts;
  const now = new Date();
  return succeed({
    kind: "pieces" as const,
    ...listPages(fields, cursor, page.value.nextCursor),
    items: page.value.rows.map((row) => toItemRow(row, fields.user_id === ALL_USERS, now)),
    chips: toChips(counts.value, fields.status),
    csv: buildAddress("/mail/items.csv", fields),
    confirmation,
  });
}

async function loadRecipients(
  fields: FilterFields,
  parameters: URLSearchParams,
  cursor: PageCursor | null,
  viewer: Viewer,
) {
  const all = fields.user_id === ALL_USERS;
  const query = { userId: all ? null : fields.user_id, search: fields.q || null, cursor };
  const page = await listMailRecipients(query, viewer);
  if (!page.ok) return page;
  const now = new Date();
  const recipients = page.value.rows.map((row) => toRecipientRow(row, all, now));
  const chosen = recipients.find(({ id }) => id === parameters.get("delete"));
  const { user_id, q } = fields;
  return succeed({
    kind: "recipients" as const,
    ...listPages(fields, cursor, page.value.nextCursor),
    recipients,
    csv: buildAddress("/mail/recipients.csv", { user_id, q }),
    confirmation: chosen
      ? {
          ids: [chosen.id],
          userId: chosen.userId,
          title: `Delete ${chosen.name}?`,
          message: `${chosen.name} will be deleted at the provider and here. Mail already sent stays.`,
          possible: chosen.recipientId !== null,
        }
      : null,
  });
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

/** Builds the row of a piece. @param ofAll true to name its user */
function toItemRow(piece: ListedPiece, ofAll: boolean, now: Date) {
  const { state, status, id, type, addressee, place, mailItemId, isTest, isCancelled } = piece;
  const shown = state ? findShownStatus(state, status) : { word: status, tone: toneOf(status) };
  const held = state !== null && isOpen(state);
  return {
    ...{ id, type, addressee, place, mailItemId, isTest, isCancelled },
    user: ofAll ? piece.userName : null,
    status: formatStatus(shown.word),
    tone: shown.tone,
    meaning: findStatus(status)?.meaning ?? "",
    /** Null for an invalid time. */
    createdAt: formatMomentIfValid(piece.createdAt, now),
    cancelledAt: piece.cancelledAt && formatMomentIfValid(piece.cancelledAt, now),
    cancellationReason: piece.cancellationReason,
    credits: held ? `${piece.cost} reserved` : String(isCancelled ? 0 : piece.charged),
    isHeld: held,
    /** The reason why it cannot be cancelled; null when it can. */
    obstacle: held
      ? "It is not known yet whether this was mailed, so it cannot be cancelled."
      : findCancelObstacle(isTest, mailItemId, state),
    refreshable: !isTest && !isCancelled && mailItemId !== null,
    hasAlarm: piece.hasAlarm,
  };
}

function toRecipientRow(recipient: MailRecipient, ofAll: boolean, now: Date) {
  const { userName, createdAt, ...row } = recipient;
  return {
    ...row,
    user: ofAll ? userName : null,
    createdAt: formatMomentIfValid(createdAt, now),
    /** The reason why it cannot be deleted; null when it can. */
    obstacle: row.recipientId === null ? NO_RECIPIENT_ID : null,
  };
}

/** Lists the statuses to filter by: those that pieces have, and the chosen one. */
function toChips(counts: Count[], chosen: string) {
  const chips = counts.map(({ status, ...counted }) => ({
    status: status ?? "",
    label: status === null ? "All" : formatStatus(status),
    tone: toneOfChip(status),
    ...counted,
  }));
  if (chips.some(({ status }) => status === chosen)) return chips;
  const parts = counts.filter(({ status }) => isPartOf(chosen, status));
  const count = parts.reduce((sum, one) => sum + one.count, 0);
  const more = parts.some((one) => one.more);
  return [...chips, { status: chosen, label: formatStatus(chosen), tone: toneOfChip(chosen), count, more }];
}

/** True when pieces of a status are among those of a wider one. */
function isPartOf(chosen: string, status: string | null): boolean {
  if (chosen === HELD) return status === CHECKING || status === NEEDS_DECISION;
  return chosen === MAILED && status !== null && status !== "test" && !isOpenStatus(status);
}

function toneOfChip(status: string | null): StatusTone {
  if (status === null) return "neutral";
  return isOpenStatus(status) ? "warn" : toneOf(status);
}
