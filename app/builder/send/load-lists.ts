import type { LoadedRecipients } from "../draft/recipients";
import { LOAD_FAILURES } from "../forms/messages";
import { buildListCall, type ListSource, RECIPIENTS } from "../forms/provider-list";
import { type LoadedTemplates, TEMPLATES } from "../forms/templates";
import { postToProxy } from "./answer";

/** The recipients of the account behind a base URL. */
export function loadRecipients(baseUrl: string, userId: string | null): Promise<LoadedRecipients> {
  return loadList(RECIPIENTS, baseUrl, userId);
}

/** The templates of the account behind a base URL. */
export function loadTemplates(baseUrl: string, userId: string | null): Promise<LoadedTemplates> {
  return loadList(TEMPLATES, baseUrl, userId);
}

async function loadList<Loaded>(
  source: ListSource<Loaded>,
  baseUrl: string,
  userId: string | null,
): Promise<Loaded> {
  if (userId === null) return source.withoutUser;
  const answer = await postToProxy(buildListCall(source, baseUrl, userId), LOAD_FAILURES.fetch);
  return source.parse(answer.kind === "answered" ? answer.response : null);
}
