import type { ProxyRequest } from "~/proxy/send-request.schema.server";
import type { ListedRecipient, LoadedList } from "../draft/recipients";
import {
  type ListedTemplate,
  type ListSource,
  LOAD_FAILURES,
  parseList,
  RECIPIENTS,
  TEMPLATES,
} from "../forms/provider-list";
import { type Answer, postToProxy } from "./answer";

/** Loads the recipients of the account behind a base URL. */
export function loadRecipients(baseUrl: string, userId: string | null): Promise<LoadedList<ListedRecipient>> {
  return loadList(RECIPIENTS, baseUrl, userId, (call) => postToProxy(call, LOAD_FAILURES.fetch));
}

/** Loads the templates of the account behind a base URL. */
export function loadTemplates(baseUrl: string, userId: string | null): Promise<LoadedList<ListedTemplate>> {
  return loadList(TEMPLATES, baseUrl, userId, (call) => postToProxy(call, LOAD_FAILURES.fetch));
}

/** Loads a list of the account. @param ask makes the call through the proxy and never throws */
export async function loadList<Row>(
  source: ListSource<Row>,
  baseUrl: string,
  userId: string | null,
  ask: (call: ProxyRequest) => Promise<Answer>,
): Promise<LoadedList<Row>> {
  if (userId === null) return { state: "failed", reason: source.failures.noUser };
  const answer = await ask({
    path: source.path,
    method: "GET",
    auth: { strategy: "env" },
    flags: { appendJson: true },
    save: false,
    baseUrl,
    user_id: userId,
  });
  return parseList(source, answer.kind === "answered" ? answer.response : null);
}
