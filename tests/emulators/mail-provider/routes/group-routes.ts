import { formatSpacedTime } from "../http/dates";
import { type Fields, readFlag, readText } from "../http/fields";
import { takePage } from "../http/paging";
import { type Reply, requireFields, succeed } from "../http/reply";
import { describeGroup, type Store } from "../store";
import type { Call, Route } from "./router";

/** groups/* as documented. */
export const GROUP_ROUTES: readonly Route[] = [
  { method: "GET", path: "groups/list", answer: ({ store, query }) => succeed(listGroups(store, query)) },
  { method: "POST", path: "groups/new", answer: (call) => succeed(createGroup(call)) },
  {
    method: "POST",
    path: "groups/add/:group_id",
    answer: (call) => changeMembers(call, call.params.group_id ?? "", "add", readMemberIds(call.fields)),
  },
  {
    method: "POST",
    path: "groups/remove/:group_id",
    answer: (call) => changeMembers(call, call.params.group_id ?? "", "remove", readMemberIds(call.fields)),
  },
  { method: "POST", path: "groups/purge", answer: purgeGroup },
  { method: "POST", path: "groups/delete", answer: deleteNamedGroup },
  { method: "POST", path: "groups/calculate/:group_id", answer: calculateGroup },
];

export function listGroups(store: Store, query: URLSearchParams) {
  return takePage(store.groups.list(), query).map((group) => describeGroup(store, group.id));
}

/** @returns the new group's id */
export function createGroup({ store, fields }: Call): string {
  requireFields(fields, "name");
  return store.addGroup(readText(fields, "name"), formatSpacedTime(store.settings.now()));
}

function readMemberIds(fields: Fields): string[] {
  requireFields(fields, "recipients");
  return readText(fields, "recipients")
    .split(",")
    .map((id) => id.trim());
}

/** Answers with the number of recipients it made a difference to; unknown ids make none. */
export function changeMembers(call: Call, groupId: string, change: "add" | "remove", ids: string[]): Reply {
  const { store } = call;
  const members = store.requireMembers(groupId);
  const affected = new Set(
    ids.filter((id) => store.recipients.has(id) && members.has(id) === (change === "remove")),
  );
  for (const id of affected) {
    if (change === "add") members.add(id);
    else members.delete(id);
  }
  return succeed(affected.size);
}

function purgeGroup({ store, fields }: Call): Reply {
  requireFields(fields, "id");
  emptyGroup(store, readText(fields, "id"), readFlag(fields, "delete_recipients", false));
  return succeed(true);
}

function deleteNamedGroup({ store, fields }: Call): Reply {
  requireFields(fields, "id");
  deleteGroup(store, readText(fields, "id"), readFlag(fields, "delete_recipients", false));
  return succeed(true);
}

export function deleteGroup(store: Store, id: string, withRecipients: boolean): void {
  emptyGroup(store, id, withRecipients);
  store.members.delete(id);
  store.groups.remove(id);
}

function emptyGroup(store: Store, id: string, withRecipients: boolean): void {
  const members = store.requireMembers(id);
  if (withRecipients) for (const member of [...members]) store.removeRecipient(member);
  members.clear();
}

function calculateGroup({ store, params }: Call): Reply {
  store.requireMembers(params.group_id ?? "");
  return succeed(true);
}
