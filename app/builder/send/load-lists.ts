import type { ProxyRequest } from "~/proxy/send-request.schema.server";
import type { LoadedRecipients } from "../draft/recipients";
import { type ListSource, LOAD_FAILURES, RECIPIENTS } from "../forms/provider-list";
import { type LoadedTemplates, TEMPLATES } from "../forms/templates";
import { type Answer, postToProxy } from "./answer";

/** Loads the recipients of the account behind a base URL. */
export function loadRecipients(baseUrl: string, userId: string | null): Promise<LoadedRecipients> {
  return loadList(RECIPIENTS, baseUrl, userId, (call) => postToProxy(call, LOAD_FAILURES.fetch));
}

/** Loads the templates of the account behind a base URL. */
export function loadTemplates(baseUrl: string, userId: string | null): Promise<LoadedTemplates> {
  return loadList(TEMPLATES, baseUrl, userId, (call) => postToProxy(call, LOAD_FAILURES.fetch));
}

/** Loads a list of the account. @param ask makes the call through the proxy and never throws */
export async function loadList<Loaded>(
  source: ListSource<Loaded>,
  baseUrl: string,
  userId: string | null,
  ask: (call: ProxyRequest) => Promise<Answer>,
): Promise<Loaded> {
  if (userId === null) return source.withoutUser;
  const answer = await ask({
    path: source.path,
    method: "GET",
    auth: { strategy: "env" },
    flags: { appendJson: true },
    save: false,
    baseUrl,
    user_id: userId,
  });
  return source.parse(answer.kind === "answered" ? answer.response : null);
}
