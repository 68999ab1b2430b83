import { env } from "~/platform/env.server";
import { isRecord, parseJson, parseRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatNoAnswer } from "./call/no-answer";
import { inProviderTurn } from "./call/pace.server";
import { parseWaitSeconds } from "./call/rate-headers";
import { callBase, formatReason, isKnownBase } from "./piece.server";
import { parseDetails } from "./request-fields";

export type ProviderGroup = { id: string; name: string; recipients: number };

/** Requested page size. The provider documents neither the size of a page nor the end of a list. */
const PAGE_SIZE = 1_000;
const MAX_GROUPS = 2_000;

/** Fetches the groups of a base URL's account. Fails as {@link loadRecipientPages} does. */
export async function loadGroups(baseUrl: string): Promise<Outcome<ProviderGroup[]>> {
  const groups: ProviderGroup[] = [];
  for await (const page of loadPages(baseUrl, "groups/list", {})) {
    if (!page.ok) return page;
    for (const { id = "", name = "", recipients = "" } of page.value) {
      groups.push({ id, name: name || id, recipients: Number(recipients) || 0 });
    }
    if (groups.length >= MAX_GROUPS) break;
  }
  return succeed(groups);
}

/**
 * Fetches the recipients of a group, page by page, as texts by the provider's names. Ends after a failure: `rate_limited`,
 * `overloaded`, `not_configured`, `provider_refused` or `provider_unreachable`.
 */
export function loadRecipientPages(baseUrl: string, groupId: string) {
  return loadPages(baseUrl, "recipients/list", { group_id: groupId });
}

/** A list ends when a page has nothing new. */
async function* loadPages(
  baseUrl: string,
  path: string,
  query: Record<string, string>,
): AsyncGenerator<Outcome<Record<string, string>[]>> {
  const seen = new Set<string>();
  for (let offset = 0; ; ) {
    const paged = { ...query, offset: String(offset), limit: String(PAGE_SIZE) };
    const page = await inProviderTurn(() => loadPage(baseUrl, path, paged));
    if (!page.ok) return yield page;
    const rows = page.value.map(parseDetails);
    const fresh = rows.filter(({ id }) => id !== undefined && !seen.has(id));
    if (fresh.length === 0) return;
    for (const { id = "" } of fresh) seen.add(id);
    offset += rows.length;
    yield succeed(fresh);
  }
}

async function loadPage(
  baseUrl: string,
  path: string,
  query: Record<string, string>,
): Promise<Outcome<Record<string, unknown>[]>> {
  const { providerKey, providerTimeoutMs: timeoutMs } = env();
  if (!isKnownBase(baseUrl) || providerKey === null) {
    return fail("not_configured", "This server has no key for it.");
  }
  const { result } = await callBase(baseUrl, path, { query, timeoutMs });
  if (result.kind !== "answered") return fail("provider_unreachable", formatNoAnswer(result, timeoutMs));
  const { status, headers, text } = result;
  if (status === 429) {
    const seconds = parseWaitSeconds(headers);
    const message = `The provider's rate limit is used up; there is room again in ${seconds} s.`;
    return { ok: false, failure: { code: "rate_limited", message, retryAfterSeconds: seconds } };
  }
  const parsed = parseJson(text);
  const rows = Array.isArray(parsed) ? parsed : parseRecord(parsed).data;
  if (status !== 200 || !Array.isArray(rows)) {
    const reason = `The provider gave no list: ${formatReason(status, parseRecord(parsed))}.`;
    return fail(status >= 500 ? "provider_unreachable" : "provider_refused", reason);
  }
  return succeed(rows.filter(isRecord));
}

/** Fetches a saved recipient. Never throws. */
export async function fetchRecipient(
  baseUrl: string,
  id: string,
  timeoutMs: number,
): Promise<
  { kind: "found"; details: Record<string, string> } | { kind: "missing" | "unclear"; reason: string }
> {
  const { result } = await callBase(baseUrl, `recipients/get/${encodeURIComponent(id)}`, { timeoutMs });
  if (result.kind !== "answered") return { kind: "unclear", reason: formatNoAnswer(result, timeoutMs) };
  const body = parseRecord(parseJson(result.text));
  const reason = formatReason(result.status, body);
  if (result.status === 404) return { kind: "missing", reason };
  const found = body.success === undefined ? body : parseRecord(body.data);
  if (result.status !== 200 || body.success === false || String(found.id) !== id) {
    return { kind: "unclear", reason };
  }
  return { kind: "found", details: parseDetails(found) };
}

/** Statuses about a limit, our key or the account instead of the address. */
const NOT_ABOUT_IT = new Set([401, 402, 403, 429]);

/**
 * Checks an address with the provider; `unknown` for an answer without a verdict. Never throws.
 * @param address details by the provider's names
 */
export async function validateAddress(
  baseUrl: string,
  address: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<"found" | "not_found" | "unknown" | "no_answer"> {
  const { result } = await callBase(baseUrl, "addresses/validate", { form: { ...address }, timeoutMs });
  if (result.kind !== "answered" || NOT_ABOUT_IT.has(result.status) || result.status >= 500) {
    return "no_answer";
  }
  const { success, data } = parseRecord(parseJson(result.text));
  const valid = parseRecord(data).is_valid;
  if (result.status !== 200 || success !== true || typeof valid !== "boolean") return "unknown";
  return valid ? "found" : "not_found";
}
