import { formatSpacedTime } from "../http/dates";
import { readFirstText, readText } from "../http/fields";
import { takePage } from "../http/paging";
import { Refusal, type Reply, requireFields, succeed } from "../http/reply";
import { createLetter, createPostcard } from "../mail-creation";
import {
  advancePiece,
  describePiece,
  listStatusChanges,
  type MailPiece,
  type MailType,
} from "../mail-pieces";
import { describeGroup, type Store } from "../store";
import type { Collection, Json } from "./collection";
import {
  cancelCampaign,
  countUsage,
  DATA_MODELS,
  listPrices,
  lookUpAddresses,
  reportCampaign,
  requireDataModel,
  sendCampaign,
  testAddress,
} from "./console-answers";
import { changeMembers, createGroup, deleteGroup, listGroups } from "./group-routes";
import { cancelById } from "./mail-routes";
import { saveRecipient, selectRecipients, updateRecipient } from "./recipient-routes";
import { countStatuses } from "./reporting-routes";
import { createSelection, describeUser, getBalance } from "./resource-routes";
import type { Call, Route } from "./router";

/**
 * The presets of the console that the provider's public reference does not list, or lists under another name
 *. They work on the same account. The live provider is expected to answer 404 to them.
 */
export const CONSOLE_EXTENSIONS: readonly Route[] = [
  get("account", ({ store }) => ({ ...describeUser(store), company: "Mailroom Demo", region: "US" })),
  { method: "GET", path: "account/balance", answer: getBalance },
  get("account/usage", ({ store }) => countUsage(store)),
  get("account/settings", () => ({ country: "US", timezone: "UTC", default_size: "4x6", clearzone: true })),
  get("account/credits", ({ store }) => ({ credits: store.formatBalance() })),
  get("account/pricing", () => listPrices()),

  { method: "POST", path: "recipients/create", answer: saveRecipient },
  post("recipients/update/:id?", changeRecipient),
  post("recipients/delete/:id?", (call) => {
    call.store.removeRecipient(requireId(call));
    return 1;
  }),

  list("lists", ({ store }) => listGroups(store, new URLSearchParams("limit=2000"))),
  get("lists/get/:id?", (call) => describeGroup(call.store, requireId(call))),
  get("lists/members/:id?", (call) => takePage(selectRecipients(call.store, requireId(call)), call.query)),
  post("lists/create", (call) => ({ id: createGroup(call) })),
  post("lists/update/:id?", (call) => rename(call, call.store.groups)),
  post("lists/delete/:id?", (call) => {
    deleteGroup(call.store, requireId(call), false);
    return true;
  }),
  {
    method: "POST",
    path: "lists/add_recipient/:id?",
    answer: (call) => changeMembers(call, requireId(call), "add", readRecipientIds(call)),
  },
  {
    method: "POST",
    path: "lists/remove_recipient/:id?",
    answer: (call) => changeMembers(call, requireId(call), "remove", readRecipientIds(call)),
  },

  post("campaigns/update/:id?", (call) => rename(call, call.store.campaigns)),
  post("campaigns/send/:id?", (call) => sendCampaign(call.store, requireId(call))),
  post("campaigns/cancel/:id?", (call) => cancelCampaign(call.store, requireId(call))),

  list("mailings", ({ store }) => describeAll(store, store.listPieces(null))),
  get("mailings/get/:id?", (call) => describeOne(call, null)),
  get("mailings/events/:id?", listMailingEvents),
  { method: "POST", path: "mailings/create", answer: createMailing },
  {
    method: "POST",
    path: "mailings/cancel/:id?",
    answer: (call) => cancelById(call.store, requireId(call), null),
  },
  ...extendMail("postcards", "postcard"),
  ...extendMail("letters", "letter"),

  ...readable("events", (store) => store.events),
  ...readable("files", (store) => store.files),
  post("files/delete/:id?", (call) => {
    call.store.files.remove(requireId(call));
    return true;
  }),
  get("reports/summary", ({ store }) => countStatuses(store, store.listPieces(null))),
  get("reports/campaigns/get/:id?", (call) => reportCampaign(call.store, requireId(call))),
  ...readable("selections", (store) => store.selections),
  { method: "POST", path: "selections/create", answer: createSelection },
  get("addresses/lookup", lookUpAddresses),
  list("objects", () => DATA_MODELS),
  get("objects/get/:id?", (call) => requireDataModel(requireId(call))),
  get("templates/get/:id?", (call) => call.store.templates.require(requireId(call))),
  ...readable("batches", (store) => store.batches),
  post("batches/create", (call) => {
    const { fields } = call;
    const type = readText(fields, "type") || "postcard";
    return addRow(call, call.store.batches, {
      name: readText(fields, "name"),
      type,
      status: "pending",
      items: "0",
    });
  }),
  list("webhooks", ({ store }) => store.webhooks.list()),
  post("webhooks/create", (call) => {
    requireFields(call.fields, "url");
    const event = readFirstText(call.fields, "event", "events") || "mailpiece_status";
    return addRow(call, call.store.webhooks, { url: readText(call.fields, "url"), event, status: "active" });
  }),
  post("webhooks/delete/:id?", (call) => {
    call.store.webhooks.remove(requireId(call));
    return true;
  }),
  get("test/address", ({ query }) => testAddress(Object.fromEntries(query))),
  post("test/address", ({ fields }) => testAddress(fields)),
];

function get(path: string, read: (call: Call) => unknown): Route {
  return { method: "GET", path, answer: (call) => succeed(read(call)) };
}

function post(path: string, change: (call: Call) => unknown): Route {
  return { method: "POST", path, answer: (call) => succeed(change(call)) };
}

/** `<name>/list` with page or offset, limit, and the filters status, type and country. */
function list(name: string, read: (call: Call) => object[]): Route {
  return get(`${name}/list`, (call) => {
    const rows: Record<string, unknown>[] = read(call).map((row) => ({ ...row }));
    const filters = ["status", "type", "country"].filter((filter) => call.query.get(filter));
    const fitting = rows.filter((row) =>
      filters.every((filter) => String(row[filter] ?? "") === call.query.get(filter)),
    );
    return takePage(fitting, call.query);
  });
}

function readable(name: string, collectionOf: (store: Store) => Collection): Route[] {
  return [
    list(name, ({ store }) => collectionOf(store).list()),
    get(`${name}/get/:id?`, (call) => collectionOf(call.store).require(requireId(call))),
  ];
}

/** What postcards and letters have in the console beyond the documentation. */
function extendMail(name: string, type: MailType): Route[] {
  return [
    list(name, ({ store }) => describeAll(store, store.listPieces(type))),
    // Creating has sent it already, there are no drafts: this only tells how the piece stands.
    post(`${name}/send/:id?`, (call) => describeOne(call, type)),
    post(`${name}/simulate/:id?`, (call) => {
      const piece = call.store.requirePiece(requireId(call), type);
      advancePiece(piece, call.store.settings);
      call.store.onChange(piece);
      return describeOne(call, type);
    }),
    post(`${name}/delete/:id?`, (call) => {
      const piece = call.store.requirePiece(requireId(call), type);
      if (piece.cancelledAtMs === null) {
        throw new Refusal(400, `Only a cancelled ${type} can be deleted, cancel it first`);
      }
      call.store.pieces.delete(piece.id);
      return 1;
    }),
  ];
}

/** The id from the path, else from the body or the query. @throws Refusal 400 */
function requireId({ params, fields, query }: Call): string {
  const id = params.id || readFirstText(fields, "id", "list_id") || query.get("id") || query.get("list_id");
  if (!id) throw new Refusal(400, "Missing resource ID");
  return id;
}

function describeAll(store: Store, pieces: MailPiece[]) {
  return pieces.map((piece) => describePiece(piece, store.settings, store.accountId));
}

function describeOne(call: Call, type: MailType | null) {
  const { store } = call;
  return describePiece(store.requirePiece(requireId(call), type), store.settings, store.accountId);
}

function listMailingEvents(call: Call) {
  const piece = call.store.requirePiece(requireId(call), null);
  return listStatusChanges(piece, call.store.settings).map(({ status, atMs }) => ({
    mailpiece_id: piece.id,
    type: status,
    created: formatSpacedTime(atMs),
  }));
}

/** Sends like the call for its type does; size and ids also under the names the mailing presets use. */
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

function changeRecipient(call: Call) {
  const recipient = call.store.requireRecipient(requireId(call));
  updateRecipient(call.store, recipient, call.fields);
  return recipient;
}

function readRecipientIds({ fields }: Call): string[] {
  const ids = readFirstText(fields, "recipients", "recipient_id", "recipient_ids");
  if (ids === "") throw new Refusal(400, "Missing mandatory parameter: recipient_id");
  return ids.split(",").map((id) => id.trim());
}

function rename(call: Call, collection: Collection) {
  const row = collection.require(requireId(call));
  const name = readText(call.fields, "name");
  if (name !== "") row.name = name;
  return row;
}

function addRow({ store }: Call, collection: Collection, values: { [key: string]: Json }) {
  return collection.add({ ...values, created: formatSpacedTime(store.settings.now()) });
}
