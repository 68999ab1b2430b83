import { formatOffsetTime, formatSpacedTime } from "../http/dates";
import { type Fields, readFirstText, readText } from "../http/fields";
import { takePage } from "../http/paging";
import { Refusal, type Reply, requireFields, succeed } from "../http/reply";
import { isDeliverable, type PostalAddress, readAddress } from "../postal-address";
import type { Recipient, Store } from "../store";
import { requirePathId } from "./mail-routes";
import type { Call, Route } from "./router";

/** recipients/* and groups' members as documented. */
export const RECIPIENT_ROUTES: readonly Route[] = [
  { method: "GET", path: "recipients/list/:group_id?", answer: listRecipients },
  { method: "GET", path: "recipients/get/:id?", answer: getRecipient },
  { method: "POST", path: "recipients/new", answer: saveRecipient },
  { method: "POST", path: "recipients/delete", answer: deleteRecipient },
];

/** What else a recipient has besides the address. */
const DETAIL_KEYS = ["job_title", "email", "phone_number", "ref_id"] as const;

function listRecipients({ store, params, query }: Call): Reply {
  return succeed(takePage(selectRecipients(store, params.group_id || query.get("group_id")), query));
}

/** @param groupId null = everybody. @throws Refusal 404 for an unknown group */
export function selectRecipients(store: Store, groupId: string | null): Recipient[] {
  const everybody = [...store.recipients.values()];
  if (groupId === null || groupId === "") return everybody;
  const members = store.requireMembers(groupId);
  return everybody.filter((recipient) => members.has(recipient.id));
}

function getRecipient(call: Call): Reply {
  return succeed(call.store.requireRecipient(requirePathId(call)));
}

function deleteRecipient({ store, fields }: Call): Reply {
  requireFields(fields, "id");
  store.removeRecipient(readText(fields, "id"));
  return succeed(1);
}

/**
 * recipients/new: adds a recipient, or updates the one it duplicates. Which choice is the default is not
 * documented; `update` is it for imports and so it is here.
 */
export function saveRecipient({ store, fields }: Call): Reply {
  const address = readAddress(fields);
  const details = readDetails(fields);
  if ([...Object.values(address), ...Object.values(details)].every((text) => text === "")) {
    throw new Refusal(400, "Missing mandatory parameter: firstname");
  }
  const groupId = readText(fields, "group_id");
  const group = groupId === "" ? null : store.requireMembers(groupId);
  const choice = readText(fields, "on_duplicate") || "update";
  const duplicate = choice === "duplicate" ? null : findDuplicate(store, fields, address);
  const recipient = duplicate ?? addRecipient(store, address, details);
  if (duplicate && choice === "update") updateRecipient(store, duplicate, fields);
  group?.add(recipient.id);
  const created = formatOffsetTime(store.settings.now());
  return succeed({ id: recipient.id, valid: isDeliverable(recipient), created });
}

/** Overwrites what the fields carry; absent fields stay as they are. */
export function updateRecipient(store: Store, recipient: Recipient, fields: Fields): void {
  const sent = Object.entries({ ...readAddress(fields), ...readDetails(fields) });
  Object.assign(recipient, Object.fromEntries(sent.filter(([, text]) => text !== "")));
  recipient.updated = formatSpacedTime(store.settings.now());
}

function readDetails(fields: Fields): Record<(typeof DETAIL_KEYS)[number], string> {
  const entries = DETAIL_KEYS.map((key) => [key, readText(fields, key)]);
  return Object.fromEntries(entries) as Record<(typeof DETAIL_KEYS)[number], string>;
}

export function addRecipient(
  store: Store,
  address: PostalAddress,
  details: Record<(typeof DETAIL_KEYS)[number], string>,
): Recipient {
  const created = formatSpacedTime(store.settings.now());
  const recipient: Recipient = {
    id: store.takeRecipientId(),
    account_id: store.accountId,
    ...address,
    country: address.country || "US",
    ...details,
    dps: "",
    blacklist: "0",
    created,
    updated: created,
  };
  store.recipients.set(recipient.id, recipient);
  return recipient;
}

/** The recipient that counts as the same by `test_level` (email, ref_id, initial, fullname). */
function findDuplicate(store: Store, fields: Fields, address: PostalAddress): Recipient | null {
  const level = readFirstText(fields, "test_level") || "fullname";
  const everybody = [...store.recipients.values()];
  if (level === "email" || level === "ref_id") {
    const wanted = readText(fields, level);
    return everybody.find((recipient) => wanted !== "" && recipient[level] === wanted) ?? null;
  }
  const nameOf = (person: PostalAddress) =>
    level === "initial" ? person.firstname.charAt(0) : person.firstname;
  const keyOf = (person: PostalAddress) =>
    [nameOf(person), person.lastname, person.address1, person.postcode].join("|").toLowerCase();
  return everybody.find((recipient) => keyOf(recipient) === keyOf(address)) ?? null;
}
