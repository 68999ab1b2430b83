import { formatSpacedTime } from "../http/dates";
import { type Fields, readFirstText, readFlag, readText, UploadedFile } from "../http/fields";
import { takePage } from "../http/paging";
import { Refusal, type Reply, requireFields, succeed } from "../http/reply";
import { readAddress } from "../postal-address";
import type { Store } from "../store";
import type { Call, Route } from "./router";

/** The documented rest: account, templates, files, selections, addresses, events. */
export const RESOURCE_ROUTES: readonly Route[] = [
  { method: "GET", path: "users/me", answer: ({ store }) => succeed(describeUser(store)) },
  { method: "GET", path: "accounts/balance", answer: getBalance },
  { method: "GET", path: "templates/list/:format?", answer: listTemplates },
  { method: "POST", path: "templates/list/:format?", answer: listTemplates },
  { method: "POST", path: "files/upload", answer: uploadFile },
  { method: "POST", path: "files/createFolder", answer: createFolder },
  { method: "GET", path: "files/folders", answer: ({ store }) => succeed(store.folders.list()) },
  { method: "POST", path: "selections/new", answer: createSelection },
  { method: "POST", path: "addresses/validate", answer: ({ fields }) => succeed(validateAddress(fields)) },
  { method: "POST", path: "recipientEvents/create", answer: createEvent },
];

/** The key's user, all text. */
export function describeUser(store: Store) {
  return {
    account_id: store.accountId,
    user_id: "9120",
    email: "mail.operator@example.com",
    first_name: "Maren",
    last_name: "Okafor",
  };
}

export function getBalance({ store }: Call): Reply {
  return succeed({ balance: store.formatBalance() });
}

function listTemplates({ store, params, query }: Call): Reply {
  const format = (params.format ?? "").toUpperCase();
  const templates = store.templates.list();
  const fitting = templates.filter((template) => format === "" || template.size === format);
  return succeed(takePage(fitting, query));
}

function uploadFile({ store, fields }: Call): Reply {
  requireFields(fields, "file");
  const folder = readText(fields, "folder");
  if (folder !== "") store.folders.require(folder);
  const file = fields.file;
  const text = readText(fields, "file");
  const isAddress = /^https?:\/\//i.test(text);
  const { id } = store.files.add({
    name:
      file instanceof UploadedFile ? file.filename : isAddress ? (text.split("/").at(-1) ?? "") : "upload",
    folder: folder || "0",
    type: file instanceof UploadedFile ? file.contentType : "application/octet-stream",
    size: String(file instanceof UploadedFile ? file.bytes.length : Buffer.byteLength(text)),
    created: formatSpacedTime(store.settings.now()),
  });
  return succeed({ id });
}

function createFolder({ store, fields }: Call): Reply {
  requireFields(fields, "name");
  const created = formatSpacedTime(store.settings.now());
  return succeed(store.folders.add({ name: readText(fields, "name"), created }).id);
}

export function createSelection({ store, fields }: Call): Reply {
  requireFields(fields, "group_id");
  const groupId = readText(fields, "group_id");
  store.requireMembers(groupId);
  const { id } = store.selections.add({
    name: readText(fields, "name"),
    group_id: groupId,
    filters: readText(fields, "filters"),
    created: formatSpacedTime(store.settings.now()),
  });
  return succeed([{ id }]);
}

/** How a street is written by the provider: the last word of the first line. */
const STREET_WORDS = new Map([
  ["st", "Street"],
  ["ave", "Avenue"],
  ["rd", "Road"],
]);
/** Part of a first line that is nowhere. */
const UNKNOWN_STREETS = ["nowhere lane"];

/** UK and US only; an address that fails is a success with `is_valid:false`. A US state returns as county. */
export function validateAddress(fields: Fields) {
  requireFields(fields, "address1");
  const { title, firstname, lastname, company, ...address } = readAddress(fields);
  const country = (address.country || "US").toUpperCase();
  const known = !UNKNOWN_STREETS.some((street) => address.address1.toLowerCase().includes(street));
  return {
    ...address,
    address1: spellOut(address.address1),
    country,
    reference_id: "",
    dps: "",
    udprn: "",
    is_valid:
      known && isKnownAddress(country, address.postcode, address.county) && /\d/.test(address.address1),
  };
}

function spellOut(line: string): string {
  return line.replace(
    /\b([a-z]+)\.?$/i,
    (written, word: string) => STREET_WORDS.get(word.toLowerCase()) ?? written,
  );
}

function isKnownAddress(country: string, postcode: string, county: string): boolean {
  if (country === "US") return /^\d{5}(-\d{4})?$/.test(postcode) && /^[A-Za-z]{2}$/.test(county);
  const british = country === "GB" || country === "UK";
  return british && /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i.test(postcode);
}

function createEvent({ store, fields }: Call): Reply {
  requireFields(fields, "recipient_id", "name");
  const wanted = readText(fields, "recipient_id");
  const byReference = [...store.recipients.values()].find((recipient) => recipient.ref_id === wanted);
  const recipient = store.recipients.get(wanted) ?? byReference;
  if (!recipient) throw new Refusal(404, "Recipient not found");
  const { id } = store.events.add({
    recipient_id: recipient.id,
    name: readText(fields, "name"),
    type: readText(fields, "name"),
    value: readText(fields, "value"),
    conversion: readFlag(fields, "conversion", false) ? "1" : "0",
    data: readText(fields, "data"),
    ref: readFirstText(fields, "ref"),
    created: formatSpacedTime(store.settings.now()),
  });
  return succeed(Number(id));
}
