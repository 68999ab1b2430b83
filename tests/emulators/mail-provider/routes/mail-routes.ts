import { DAY_MS, findDayStart } from "../http/dates";
import { readFirstText, readText } from "../http/fields";
import { takePage } from "../http/paging";
import { Refusal, type Reply, requireFields } from "../http/reply";
import { createLetter, createPostcard, postLetter } from "../mail-creation";
import { advancePiece, cancelPiece, describePiece, type MailPiece, type MailType } from "../mail-pieces";
import type { Store } from "../store";
import { type Call, dataRoute, type Route, requireId, route } from "./router";

/** postcards, letters and reporting as documented, plus calls that only the console's presets make. */
export const MAIL_ROUTES: readonly Route[] = [
  route("POST postcards/create", (call) => createPostcard(call)),
  route("POST letters/create", createLetter),
  route("POST letters/post", postLetter),
  ...mailRoutes("postcard"),
  ...mailRoutes("letter"),
  dataRoute("GET reporting/list/:start/:end/:status?/:tag?", listSingles),
  dataRoute("GET mailings/list", ({ store, query }) => listPieces(store, null, query)),
  route("POST mailings/create", createMailing),
  dataRoute("POST mailings/cancel/:id?", (call) => cancelById(call, requireId(call), null)),
];

function mailRoutes(type: MailType): Route[] {
  return [
    dataRoute(`GET ${type}s/get/:id?`, (call) => describe(call.store, requirePiece(call, type))),
    dataRoute(`GET ${type}s/list`, ({ store, query }) => listPieces(store, type, query)),
    dataRoute(`POST ${type}s/cancel`, (call) => {
      requireFields(call.fields, "id");
      return cancelById(call, readText(call.fields, "id"), type);
    }),
    dataRoute(`POST ${type}s/simulate/:id?`, (call) => {
      const piece = requirePiece(call, type);
      advancePiece(piece, call.store.settings);
      call.store.onChange(piece);
      return describe(call.store, piece);
    }),
  ];
}

function requirePiece(call: Call, type: MailType): MailPiece {
  return call.store.requirePiece(requireId(call), type);
}

function describe(store: Store, piece: MailPiece) {
  return describePiece(piece, store.settings, store.accountId);
}

/** Cancels a piece and returns its cost to the balance. @throws Refusal 404, or 400 when it is too late */
function cancelById({ store }: Call, id: string, type: MailType | null): number {
  const piece = store.requirePiece(id, type);
  cancelPiece(piece, store.settings);
  store.charge(piece.cost, -1);
  store.onChange(piece);
  return 1;
}

function listPieces(store: Store, type: MailType | null, query: URLSearchParams) {
  const status = query.get("status") ?? "";
  const pieces = store.listPieces(type).filter((piece) => ["", store.statusOf(piece)].includes(status));
  return takePage(pieces, query).map((piece) => describe(store, piece));
}

/** Lists pieces created from the start day to the end day, both inclusive. @throws Refusal 400 */
function listSingles({ store, params, query }: Call) {
  const { start = "", end = "", status = "", tag = "" } = params;
  const [fromMs, lastDayMs] = [findDayStart(start), findDayStart(end)];
  if (fromMs === null || lastDayMs === null) throw new Refusal(400, "Dates must be written YYYY-MM-DD");
  const wanted = status === "printing" ? "producing" : status;
  const { now, behaviour } = store.settings;
  const { listEnd } = behaviour;
  const singles = store
    .listPieces(null)
    .filter(({ createdAtMs }) => createdAtMs >= fromMs && createdAtMs < lastDayMs + DAY_MS)
    .filter(({ createdAtMs }) => createdAtMs + behaviour.listDelayMs <= now())
    .filter((piece) => ["", "all", store.statusOf(piece)].includes(wanted))
    .filter(({ tags }) => tag === "" || tags.split(/\s*,\s*/).includes(tag));
  const page = takePage(singles, query);
  if (page.length === 0 && listEnd === "404") throw new Refusal(404, "There are no more pieces");
  const rows = page.length === 0 && listEnd === "rows again" ? singles.slice(0, 1) : page;
  return { singles: rows.map((piece) => describe(store, piece)) };
}

/** Sends like the call for its type; also accepts the mailing presets' names for size and ids. */
function createMailing(call: Call): Promise<Reply> {
  const { fields } = call;
  const recipientId = readText(fields, "recipient_id");
  const templateId = readFirstText(fields, "template", "template_id");
  const mailing: Call = {
    ...call,
    fields: {
      ...fields,
      ...(readText(fields, "size") === "6x4" ? { size: "4x6" } : {}),
      ...(recipientId === "" ? {} : { recipient: recipientId }),
      ...(templateId === "" ? {} : { template: templateId }),
    },
  };
  const type = readText(fields, "type");
  if (type === "letter") return createLetter(mailing);
  return createPostcard(mailing, type === "flyer" ? "flyer" : "postcard");
}
