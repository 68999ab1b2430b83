import { env } from "~/platform/env.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { errorNameOf, log } from "~/platform/log.server";
import { buildUrl } from "./call/address.server";
import { callProvider } from "./call/client.server";
import { findRate } from "./call/pace.server";

const ASK_AGAIN_MS = 5 * 60_000;
/** An older balance counts as unknown. */
const KNOWN_FOR_MS = 15 * 60_000;
const TIME_LIMIT_MS = 10_000;
/** Distinguishes these calls from those of people. */
const USER_AGENT = "Mailroom, in the background";

let balance: { text: string; at: number } | null = null;
let askedAt = Number.NEGATIVE_INFINITY;

/**
 * Returns balance and rate limit of the account of the first base URL, or null when neither is known. The balance is in the
 * account's currency, which the provider does not name: `214.42`. Never waits and never throws. Fetches the balance in the
 * background at most every five minutes.
 */
export function getHeadroom(now = Date.now()) {
  const { providerKey, baseUrls } = env();
  if (providerKey === null) return null;
  if (now - askedAt >= ASK_AGAIN_MS) {
    askedAt = now;
    void askBalance(now).catch((error: unknown) =>
      log.warn("provider.balance_failed", { errorName: errorNameOf(error) }),
    );
  }
  const known = balance && now - balance.at < KNOWN_FOR_MS ? balance.text : null;
  const calls = findRate(baseUrls[0].url);
  return known === null && calls === null ? null : { balance: known, calls };
}

async function askBalance(now: number): Promise<void> {
  const { baseUrls, providerTimeoutMs } = env();
  const url = buildUrl(baseUrls[0], "accounts/balance", {});
  if (!url.ok) return;
  const result = await callProvider({
    method: "GET",
    url: url.value,
    headers: { "user-agent": USER_AGENT },
    body: null,
    timeoutMs: Math.min(TIME_LIMIT_MS, providerTimeoutMs),
  });
  const body = result.kind === "answered" && result.status === 200 ? parseRecord(parseJson(result.text)) : {};
  const amount = String(parseRecord(body.data).balance ?? "");
  // Only a number, so that pages show nothing else of the answer.
  if (body.success === true && /^-?\d{1,12}(\.\d+)?$/.test(amount)) {
    const text = Number(amount).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    balance = { text, at: now };
  } else {
    const reason = result.kind === "answered" ? `status ${result.status}` : result.kind;
    log.warn("provider.balance_failed", { reason });
  }
}
