import { DAY_MS, findDayStart } from "../http/dates";
import { takePage } from "../http/paging";
import { Refusal, type Reply, succeed } from "../http/reply";
import { describePiece, type MailPiece } from "../mail-pieces";
import type { Store } from "../store";
import type { Call, Route } from "./router";

/** reporting/* as documented. */
export const REPORTING_ROUTES: readonly Route[] = [
  { method: "GET", path: "reporting/summary/:start/:end", answer: summarise },
  { method: "GET", path: "reporting/list/:start/:end/:status?", answer: listSingles },
  { method: "GET", path: "reporting/list/:start/:end/:status/:tag", answer: listSingles },
];

function summarise({ store, params }: Call): Reply {
  return succeed(countStatuses(store, selectPieces(store, params.start ?? "", params.end ?? "")));
}

/** The counters speak of `printing` where a piece says `producing`. */
export function countStatuses(store: Store, pieces: MailPiece[]) {
  const count = (status: string) => pieces.filter((piece) => store.statusOf(piece) === status).length;
  return {
    total: pieces.length,
    received: count("received"),
    printing: count("producing"),
    handed_over: count("handed_over"),
    local_delivery: count("local_delivery"),
    delivered: count("delivered"),
    returned: count("returned"),
    cancelled: count("cancelled"),
  };
}

function listSingles({ store, params, query }: Call): Reply {
  const { start = "", end = "", status = "", tag = "" } = params;
  const wanted = status === "printing" ? "producing" : status;
  const { now, behaviour } = store.settings;
  const singles = selectPieces(store, start, end)
    .filter((piece) => piece.createdAtMs + behaviour.listDelayMs <= now())
    .filter((piece) => ["", "all", store.statusOf(piece)].includes(wanted))
    .filter((piece) => tag === "" || splitTags(piece).includes(tag));
  const page = takePage(singles, query);
  return succeed({
    singles: page.map((piece) => describePiece(piece, store.settings, store.accountId)),
  });
}

function splitTags(piece: MailPiece): string[] {
  return piece.tags.split(",").map((tag) => tag.trim());
}

/** Pieces created from the start day to the end day, both inclusive. @throws Refusal 400 */
function selectPieces(store: Store, start: string, end: string): MailPiece[] {
  const fromMs = findDayStart(start);
  const lastDayMs = findDayStart(end);
  if (fromMs === null || lastDayMs === null) throw new Refusal(400, "Dates must be written YYYY-MM-DD");
  return store
    .listPieces(null)
    .filter((piece) => piece.createdAtMs >= fromMs && piece.createdAtMs < lastDayMs + DAY_MS);
}
