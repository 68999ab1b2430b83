import { chooseUser, orderUserOptions } from "~/people/user-option";
import { listUserOptions } from "~/people/user-options.server";
import type { Viewer } from "~/people/viewer.server";
import { type CancelQuote, quoteCancel } from "~/pieces/cancel/quote-cancel.server";
import { findCancelObstacle, type MailItem } from "~/pieces/mail-item";
import type { MailType } from "~/pieces/mail-type";
import { findShownStatus } from "~/pieces/shown-status";
import { findStatus, readStatusWord, toneOf } from "~/pieces/status";
import { parsePreferences } from "~/platform/http/preferences.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { parseCursor } from "~/platform/page-cursor";
import { listMailRecipients } from "~/recipients/list-recipients.server";
import type { MailRecipient } from "~/recipients/recipient";
import { formatMomentIfValid } from "~/ui/moment";
import { type HeldPiece, listHeldPieces } from "./held-pieces.server";
import { findMailItem, listMailItems } from "./list-items.server";
import {
  type ItemRow,
  LISTED_TYPES,
  type ListedType,
  type MailList,
  type MailView,
  mailAddress,
  type RecipientRow,
} from "./mail-view";
import { formatDeleteQuestion } from "./messages";
import { countStatuses } from "./status-counts.server";

const NO_HELD: MailList["held"] = { rows: [], more: 0 };
const NO_LIST = { held: NO_HELD, counts: [], items: [], recipients: [], confirmation: null, csv: null };

/** What the Mail Management tab shows at this address, also without a viewer or a database. */
export async function loadMailView(request: Request, viewer: Viewer | null): Promise<MailView> {
  const { searchParams } = new URL(request.url);
  const type = LISTED_TYPES.find((known) => known === searchParams.get("type")) ?? "letter";
  const status = type === "recipient" ? "" : (readStatusWord(searchParams.get("status")) ?? "");
  const remembered = (await parsePreferences(request)).userId ?? null;
  const users = viewer ? await listUserOptions(viewer) : null;
  const options = users?.ok ? users.value : orderUserOptions([], viewer);
  const userId = searchParams.get("user_id") || (chooseUser(options, remembered)?.id ?? "");
  const view: MailView = {
    signedIn: viewer !== null,
    users: options,
    userId,
    type,
    status,
    usersFailure: users && !users.ok ? users.failure : null,
    failure: null,
    list: null,
  };
  if (!viewer || view.usersFailure) return view;
  const list = await loadList(view, searchParams, viewer);
  return list.ok ? { ...view, list: list.value } : { ...view, failure: list.failure };
}

async function loadList(
  view: MailView,
  parameters: URLSearchParams,
  viewer: Viewer,
): Promise<Outcome<MailList>> {
  const cursor = parseCursor(parameters.get("cursor") ?? "");
  const here = { user_id: view.userId, type: view.type, status: view.status };
  const pages = (nextCursor: string | null) => ({
    older: nextCursor === null ? null : mailAddress({ ...here, cursor: nextCursor }),
    newest: cursor === null ? null : mailAddress(here),
  });
  const now = new Date();
  if (view.type === "recipient") {
    const page = await listMailRecipients({ userId: view.userId, cursor }, viewer);
    if (!page.ok) return page;
    const { rows, nextCursor } = page.value;
    const recipients = rows.map((row) => toRecipientRow(row, now));
    const asked = recipients.find(({ id }) => id === parameters.get("delete"));
    const confirmation = asked ? { id: asked.id, message: formatDeleteQuestion(asked.name) } : null;
    const csv = `/mail/recipients.csv?${new URLSearchParams({ user_id: view.userId })}`;
    return succeed({ ...NO_LIST, ...pages(nextCursor), recipients, confirmation, csv });
  }
  const query = { userId: view.userId, type: view.type };
  // Before the list, because it asks the provider: the row then shows the same status.
  const asked = parameters.get("cancel");
  const quote = asked ? await quoteCancel(asked) : null;
  const page = await listMailItems({ ...query, status: view.status || undefined, cursor }, viewer);
  if (!page.ok) return page;
  const counts = await countStatuses(query);
  if (!counts.ok) return counts;
  const held = view.status || cursor ? succeed([]) : await listHeldPieces(view.userId);
  if (!held.ok) return held;
  const { nextCursor } = page.value;
  const found = asked === null ? null : await findAsked(asked, page.value.rows, query);
  // The piece to be cancelled is shown even when it is on another page of the list.
  const rows = found && !page.value.rows.includes(found) ? [found, ...page.value.rows] : page.value.rows;
  return succeed({
    ...NO_LIST,
    ...pages(nextCursor),
    held: toHeld(held.value, now),
    items: rows.map((row) => toItemRow(row, now)),
    counts: counts.value.map((count) => ({ ...count, tone: toneOf(count.status) })),
    csv: `/mail/items.csv?${new URLSearchParams(Object.entries(here).filter(([, value]) => value !== ""))}`,
    confirmation: found && quote && confirmCancel(found, quote),
  });
}

async function findAsked(
  id: string,
  rows: MailItem[],
  query: { userId: string; type: MailType },
): Promise<MailItem | null> {
  const listed = rows.find((row) => row.id === id);
  if (listed) return listed;
  const found = await findMailItem(id, query);
  return found.ok ? found.value : null;
}

/** What a cancel would do; null where it is not possible. */
function confirmCancel(item: MailItem, quote: Outcome<CancelQuote>): MailList["confirmation"] {
  if (findCancelObstacle(item) !== null) return null;
  return { id: item.id, message: quote.ok ? quote.value.sentence : quote.failure.message };
}

function toHeld(pieces: HeldPiece[], now: Date): MailList["held"] {
  const rows = pieces.map(({ id, type, addressee, state, cost, createdAt }) => {
    const { word, tone } = findShownStatus(state, null);
    return {
      id,
      type,
      addressee,
      status: word,
      tone,
      createdAt: formatMomentIfValid(createdAt, now),
      cost,
      pieceUrl: `/sends/${encodeURIComponent(id)}`,
    };
  });
  return { rows, more: (pieces[0]?.total ?? 0) - rows.length };
}

function toItemRow(item: MailItem, now: Date): ItemRow {
  return {
    id: item.id,
    type: item.type,
    preset: item.preset,
    addressee: item.addressee,
    mailItemId: item.mailItemId,
    status: item.status,
    tone: toneOf(item.status),
    meaning: findStatus(item.status)?.meaning ?? "",
    statusAt: formatMomentIfValid(item.statusAt, now),
    createdAt: formatMomentIfValid(item.createdAt, now),
    isTest: item.isTest,
    isCancelled: item.isCancelled,
    cancelledAt: item.cancelledAt && formatMomentIfValid(item.cancelledAt, now),
    cancellationReason: item.cancellationReason,
    // A cancel has given it back.
    charged: item.isCancelled ? 0 : item.charged,
    obstacle: findCancelObstacle(item),
    refreshable: !item.isTest && !item.isCancelled && item.mailItemId !== null,
    pieceUrl: item.isTest ? null : `/sends/${encodeURIComponent(item.id)}`,
  };
}

function toRecipientRow(recipient: MailRecipient, now: Date): RecipientRow {
  const { id, recipientId, name, email, isVerified, createdAt } = recipient;
  return { id, recipientId, name, email, isVerified, createdAt: formatMomentIfValid(createdAt, now) };
}

/** The filter in the address of the CSV file. */
export function parseItemFilter(parameters: URLSearchParams): {
  userId: string;
  type: MailType | undefined;
  status: string | undefined;
} {
  const type: ListedType | null = LISTED_TYPES.find((known) => known === parameters.get("type")) ?? null;
  return {
    userId: parameters.get("user_id") ?? "",
    type: type === "recipient" || type === null ? undefined : type,
    status: readStatusWord(parameters.get("status")) ?? undefined,
  };
}
