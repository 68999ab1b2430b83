import { formatCategory } from "~/catalogue/categories";
import { PRESETS } from "~/catalogue/presets";
import { formatMonth } from "~/credits/spending/spent";
import { splitWords } from "~/platform/search-words";
import type { Hit } from "./found";

/** Month names, which lead to the spending of that month. */
const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const SPENDING = "/users?view=spending";

/** Pages and actions, with other words for them. */
const PAGES: readonly { title: string; detail: string; to: string; words?: string }[] = [
  {
    title: "API Builder",
    detail: "Build and send a request, see its code",
    to: "/",
    words: "home curl javascript php python program call",
  },
  { title: "Stored Responses", detail: "Requests and answers", to: "/stored", words: "history saved" },
  { title: "User Credits", detail: "Balances of all users", to: "/users", words: "overview money" },
  {
    title: "Mail Management",
    detail: "Letters, postcards and recipients",
    to: "/mail",
    words: "pieces sent",
  },
  {
    title: "Buy credits",
    detail: "User Credits",
    to: "/users?view=purchase",
    words: "purchase card pay stripe",
  },
  {
    title: "Add or deduct credits",
    detail: "User Credits",
    to: "/users?view=manage",
    words: "manage adjust new user",
  },
  {
    title: "Transaction History",
    detail: "User Credits, with the purchase that paid",
    to: "/users?view=history",
    words: "ledger purchase paid charged",
  },
  {
    title: "Purchases",
    detail: "User Credits, bought by card, with receipts",
    to: "/purchases",
    words: "bought payment stripe receipt invoice",
  },
  {
    title: "Spending",
    detail: "User Credits, by month, person and kind",
    to: SPENDING,
    words: `spent costs margin month report ${MONTHS.join(" ")}`,
  },
  {
    title: "Insights",
    detail: "Charts of mail, the provider and spending",
    to: "/insights",
    words: "statistics delivery latency errors",
  },
  {
    title: "Lists",
    detail: "One design for a list of people",
    to: "/bulk",
    words: "bulk csv import campaign mailing",
  },
  { title: "Recipients", detail: "Mail Management", to: "/mail?type=recipient", words: "people addresses" },
  {
    title: "Compare with the provider",
    detail: "Mail Management",
    to: "/mail/reconciliation",
    words: "reconciliation books",
  },
  { title: "Alarms", detail: "What needs a decision", to: "/alarms", words: "problems" },
  {
    title: "Profile",
    detail: "Who is signed in, tokens, keyboard shortcuts",
    to: "/profile",
    words: "account me keys api token access",
  },
  {
    title: "API reference",
    detail: "How a program calls Mailroom",
    to: "/reference",
    words: "openapi documentation developers code curl javascript php python program call",
  },
  { title: "Log out", detail: "Ends this session", to: "/api/auth/logout", words: "sign out" },
];

type Entry = { hit: Hit; text: string };
const SEARCHED_PAGES = PAGES.map(({ title, detail, to, words = "" }) =>
  entry({ kind: "page", title, detail, to, status: null }, `${title} ${words}`),
);
const SEARCHED_PRESETS = PRESETS.map(({ id, label, method, path, categoryId }) => {
  const detail = `${method} ${path}`;
  const hit: Hit = { kind: "preset", title: label, detail, to: `/?preset=${id}`, status: null };
  return entry(hit, `${label} ${detail} ${formatCategory(categoryId)}`);
});

/** Finds pages and actions with all these words. */
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

/** Finds presets with all these words. */
export function findPresets(words: readonly string[], limit: number): Hit[] {
  return findEntries(SEARCHED_PRESETS, words, limit);
}

function findEntries(entries: readonly Entry[], words: readonly string[], limit: number): Hit[] {
  // "purchases" also finds "purchase".
  const stems = words.map((word) => word.replace(/(?<=...)s$/, ""));
  return entries
    .filter(({ text }) => stems.every((stem) => text.includes(` ${stem}`)))
    .slice(0, limit)
    .map(({ hit }) => hit);
}

/** Finds the last month that has begun whose name is like one of the words: 2026-10. */
function findMonth(words: readonly string[], now: Date): string | null {
  const at = MONTHS.findIndex((name) => words.some((word) => word.length > 2 && name.startsWith(word)));
  if (at === -1) return null;
  const year = now.getUTCFullYear() - (at > now.getUTCMonth() ? 1 : 0);
  return `${year}-${String(at + 1).padStart(2, "0")}`;
}

function entry(hit: Hit, text: string): Entry {
  return { hit, text: ` ${splitWords(text).join(" ")}` };
}
