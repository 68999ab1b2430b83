import { formatCategory } from "~/catalogue/categories";
import { PRESETS } from "~/catalogue/presets";
import { splitWords } from "~/platform/search-words";
import type { Hit } from "./found";

/** Somebody who asks for a month's spending is led to the page with its months. */
const MONTHS = "january february march april may june july august september october november december";

/** Pages and what can be done on them, with other words for it. */
const PAGES: readonly { title: string; detail: string; to: string; words?: string }[] = [
  { title: "API Builder", detail: "Build and send a request", to: "/", words: "home" },
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
  { title: "Transaction History", detail: "User Credits", to: "/users?view=history", words: "ledger" },
  {
    title: "Spending",
    detail: "User Credits, by month, person and kind",
    to: "/users?view=spending",
    words: `spent costs margin month report ${MONTHS}`,
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
    words: "account me keys",
  },
  {
    title: "API reference",
    detail: "How a program calls Mailroom",
    to: "/reference",
    words: "openapi documentation developers",
  },
  { title: "Log out", detail: "Ends this session", to: "/api/auth/logout", words: "sign out" },
];

const SEARCHED_PAGES = PAGES.map(({ title, detail, to, words = "" }) =>
  entry({ kind: "page", title, detail, to, status: null }, `${title} ${words}`),
);
const SEARCHED_PRESETS = PRESETS.map(({ id, label, method, path, categoryId }) => {
  const detail = `${method} ${path}`;
  const hit: Hit = { kind: "preset", title: label, detail, to: `/?preset=${id}`, status: null };
  return entry(hit, `${label} ${detail} ${formatCategory(categoryId)}`);
});

/** Pages and actions, or presets, with all these words. */
export function findPages(kind: "page" | "preset", words: readonly string[], limit: number): Hit[] {
  return (kind === "page" ? SEARCHED_PAGES : SEARCHED_PRESETS)
    .filter(({ text }) => words.every((word) => text.includes(` ${word}`)))
    .slice(0, limit)
    .map(({ hit }) => hit);
}

function entry(hit: Hit, text: string) {
  return { hit, text: ` ${splitWords(text).join(" ")}` };
}
