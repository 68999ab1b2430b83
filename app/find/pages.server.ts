import { formatCategory } from "~/catalogue/categories";
import { PRESETS } from "~/catalogue/presets";
import { splitWords } from "~/platform/search-words";
import { formatMonth, MONTHS } from "~/ui/moment";
import type { Hit } from "./found";

const SPENDING = "/users?view=spending";

/** Pages and actions: title, detail, address, and other words for it. */
const PAGES = `
API Builder | Build and send a request, see its code | / | home curl javascript php python program call
Stored Responses | Requests and answers | /stored | history saved
User Credits | Balances of all users | /users | overview money
Mail Management | Letters, postcards and recipients | /mail | pieces sent
Buy credits | User Credits | /users?view=purchase | purchase card pay stripe
Add or deduct credits | User Credits | /users?view=manage | manage adjust new user
Transaction History | User Credits, with the purchase that paid | /users?view=history | ledger purchase paid charged
Purchases | User Credits, bought by card, with receipts | /purchases | bought payment stripe receipt invoice
Spending | User Credits, by month, person and kind | ${SPENDING} | spent costs margin month report ${MONTHS.join(" ")}
Insights | Charts of mail, the provider and spending | /insights | statistics delivery latency errors
Lists | One template for a list of people | /bulk | bulk csv import campaign mailing
Recipients | Mail Management | /mail?type=recipient | people addresses
Compare with the provider | Mail Management | /mail/reconciliation | reconciliation books
Alarms | What needs a decision | /alarms | problems
Profile | Who is signed in, tokens, keyboard shortcuts | /profile | account me keys api token access
API reference | How a program calls Mailroom | /reference | openapi documentation developers code curl javascript php python program call
API log | Calls of programs and pages, and what fails | /api-log | request id errors failures
Webhooks | Events sent to other servers | /webhooks | deliveries endpoints
Erasures | Audit log, for admins: whose data was erased, when and by whom | /audit?what=person | erased personal data privacy gdpr
Log out | Ends this session | /api/auth/logout | sign out
`;

type Entry = { hit: Hit; text: string };
const SEARCHED_PAGES = PAGES.trim()
  .split("\n")
  .map((line) => {
    const [title = "", detail = "", to = "", words = ""] = line.split(" | ");
    return entry({ title, detail, to }, `${title} ${words}`);
  });
const SEARCHED_PRESETS = PRESETS.map(({ id, label, method, path, categoryId }) => {
  const detail = `${method} ${path}`;
  const text = `${label} ${detail} ${formatCategory(categoryId)}`;
  return entry({ title: label, detail, to: `/?preset=${id}` }, text);
});

export function findPages(words: readonly string[], limit: number, now: Date): Hit[] {
  const hits = findEntries(SEARCHED_PAGES, words, limit);
  const month = findMonth(words, now);
  if (month === null) return hits;
  return hits.map((hit) =>
    hit.to === SPENDING
      ? { ...hit, title: `Spending in ${formatMonth(month)}`, to: `${SPENDING}&month=${month}` }
      : hit,
  );
}

export function findPresets(words: readonly string[], limit: number): Hit[] {
  return findEntries(SEARCHED_PRESETS, words, limit);
}

function findEntries(entries: readonly Entry[], words: readonly string[], limit: number): Hit[] {
  // "purchases" also finds "purchase".
  const stems = words.map((word) => word.replace(/(?<=...)s$/, ""));
  return entries
    .filter(({ text }) => stems.length > 0 && stems.every((stem) => text.includes(` ${stem}`)))
    .slice(0, limit)
    .map(({ hit }) => hit);
}

/** Finds the last month that has begun whose name is like one of the words: 2026-10. */
function findMonth(words: readonly string[], now: Date): string | null {
  const at = MONTHS.findIndex((name) =>
    words.some((word) => word.length > 2 && name.toLowerCase().startsWith(word)),
  );
  if (at === -1) return null;
  const year = now.getUTCFullYear() - (at > now.getUTCMonth() ? 1 : 0);
  return `${year}-${String(at + 1).padStart(2, "0")}`;
}

function entry(hit: Hit, text: string): Entry {
  return { hit, text: ` ${splitWords(text).join(" ")}` };
}
