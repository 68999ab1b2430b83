import { formatOffsetTime, formatSpacedTime } from "../http/dates";
import { type Fields, readText } from "../http/fields";
import { takePage } from "../http/paging";
import { Refusal, requireFields } from "../http/reply";
import { isDeliverable, type PostalAddress, readAddress } from "../postal-address";
import type { Recipient, Store } from "../store";
import { type Call, dataRoute, type Route, requireId } from "./router";

/** The account, its templates, its recipients and their groups, and addresses. */
export const ACCOUNT_ROUTES: readonly Route[] = [
  dataRoute("GET users/me", ({ store }) => ({
    ...{ account_id: store.accountId, user_id: "9120", email: "mail.operator@example.com" },
    ...{ first_name: "Maren", last_name: "Okafor" },
  })),
  dataRoute("GET accounts/balance", ({ store }) => ({ balance: store.formatBalance() })),
  dataRoute("GET account/balance", ({ store }) => ({ balance: store.formatBalance() })),
  dataRoute("GET templates/list/:format?", listTemplates),
  dataRoute("POST templates/list/:format?", listTemplates),
  dataRoute("GET recipients/list/:group_id?", listRecipients),
  dataRoute("GET recipients/get/:id?", (call) => call.store.requireRecipient(requireId(call))),
  dataRoute("POST recipients/new", saveRecipient),
  dataRoute("POST recipients/create", saveRecipient),
  dataRoute("POST recipients/update/:id?", (call) => {
    return updateRecipient(call, call.store.requireRecipient(requireId(call)));
  }),
  dataRoute("POST recipients/delete/:id?", (call) => {
    if (!call.params.id) requireFields(call.fields, "id");
    call.store.removeRecipient(requireId(call));
    return 1;
  }),
  dataRoute("GET groups/list", listGroups),
  dataRoute("GET lists/list", listGroups),
  dataRoute("POST addresses/validate", ({ fields }) => validateAddress(fields)),
];

/** Fields of a recipient other than the address. */
const DETAIL_KEYS = ["job_title", "email", "phone_number", "ref_id"] as const;
type Details = Record<(typeof DETAIL_KEYS)[number], string>;

function listTemplates({ store, params, query }: Call) {
  const format = (params.format ?? "").toUpperCase();
  const templates = [...store.templates.values()];
  const fitting = templates.filter(({ size }) => format === "" || size === format);
  return takePage(fitting, query);
}

function listRecipients({ store, params, query }: Call): Recipient[] {
  const groupId = params.group_id || query.get("group_id");
  const everybody = [...store.recipients.values()];
  return takePage(groupId ? store.requireGroup(groupId).members : everybody, query);
}

function listGroups({ store, query }: Call) {
  return takePage([...store.groups.values()], query).map(({ members, ...group }) => ({
    ...group,
    recipients: String(members.length),
    valid: String(members.filter(isDeliverable).length),
    international: String(members.filter(({ country }) => country !== "US").length),
    ...{ skipped: "0", status: "ready", import_progress: "100", is_seeds: "0" },
  }));
}

/**
 * Adds a recipient, or updates the one with the same name and address. The default choice is not documented;
 * `update` is the default for imports and therefore here.
 */
function saveRecipient(call: Call) {
  const { store, fields } = call;
  const [address, details] = [readAddress(fields), readDetails(fields)];
  if (Object.values({ ...address, ...details }).every((text) => text === "")) {
    throw new Refusal(400, "Missing mandatory parameter: firstname");
  }
  const groupId = readText(fields, "group_id");
  const group = groupId === "" ? null : store.requireGroup(groupId);
  const choice = readText(fields, "on_duplicate") || "update";
  const keyOf = ({ firstname, lastname, address1, postcode }: PostalAddress) =>
    [firstname, lastname, address1, postcode].join("|").toLowerCase();
  const duplicate = [...store.recipients.values()].find((one) => keyOf(one) === keyOf(address));
  const known = choice === "duplicate" ? undefined : duplicate;
  const recipient = known ?? addRecipient(store, address, details);
  if (known && choice === "update") updateRecipient(call, known);
  if (group && !group.members.includes(recipient)) group.members.push(recipient);
  const created = formatOffsetTime(store.settings.now());
  return { id: recipient.id, valid: isDeliverable(recipient), created };
}

/** Overwrites the given fields; absent fields stay as they are. */
function updateRecipient({ store, fields }: Call, recipient: Recipient): Recipient {
  const sent = Object.entries({ ...readAddress(fields), ...readDetails(fields) });
  const updated = formatSpacedTime(store.settings.now());
  return Object.assign(recipient, Object.fromEntries(sent.filter(([, text]) => text !== "")), { updated });
}

function readDetails(fields: Fields): Details {
  return Object.fromEntries(DETAIL_KEYS.map((key) => [key, readText(fields, key)])) as Details;
}

export function addRecipient(store: Store, address: PostalAddress, details: Details): Recipient {
  const created = formatSpacedTime(store.settings.now());
  const recipient: Recipient = {
    ...{ id: store.takeRecipientId(), account_id: store.accountId },
    ...address,
    country: address.country || "US",
    ...details,
    ...{ dps: "", blacklist: "0", created, updated: created },
  };
  store.recipients.set(recipient.id, recipient);
  return recipient;
}

/** The provider's spelling of a street: the last word of the first line. */
const STREET_WORDS = new Map([
  ["st", "Street"],
  ["ave", "Avenue"],
  ["rd", "Road"],
]);
/** Part of a first line that does not exist. */
const UNKNOWN_STREET = /nowhere lane/i;

/** Accepts UK and US only; an invalid address is a success with `is_valid:false`. A US state returns as county. */
function validateAddress(fields: Fields) {
  requireFields(fields, "address1");
  const { title, firstname, lastname, company, ...address } = readAddress(fields);
  const { address1, postcode, county } = address;
  const country = (address.country || "US").toUpperCase();
  const isKnown =
    country === "US"
      ? /^\d{5}(-\d{4})?$/.test(postcode) && /^[A-Za-z]{2}$/.test(county)
      : ["GB", "UK"].includes(country) && /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i.test(postcode);
  return {
    ...address,
    address1: address1.replace(
      /\b([a-z]+)\.?$/i,
      (written, word: string) => STREET_WORDS.get(word.toLowerCase()) ?? written,
    ),
    country,
    ...{ reference_id: "", dps: "", udprn: "" },
    is_valid: isKnown && !UNKNOWN_STREET.test(address1) && /\d/.test(address1),
  };
}
