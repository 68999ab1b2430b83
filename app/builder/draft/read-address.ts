import type { PresetCall } from "~/catalogue/types";
import { type BaseUrlView, carriesBody, type Draft, findDraftCall } from "./draft";

/** Credentials that an address may carry; the server adds its own. */
const KEY_NAME = /^api[-_]?key$/i;

/**
 * Parses a path that was typed or pasted as a URL: removes a leading slash, a known base URL and its `.json`, and moves
 * the query to the form's fields or the Query tab. A URL of another host stays as it is.
 */
export function readAddress(
  draft: Draft,
  opened: PresetCall,
  base: BaseUrlView,
  bases: readonly BaseUrlView[],
): { draft: Draft; base: BaseUrlView } {
  const text = draft.path.trim();
  const address = dropScheme(text);
  const own = findBase(text, bases);
  if (!own && address !== text) return { draft, base };
  const written = own ? address.slice(dropScheme(own.url).length) : text;
  const [, place = "", query] = /^([^?#]*)(?:\?([^#]*))?/.exec(written) ?? [];
  const found = own ?? base;
  const read = { ...draft, path: dropJson(place.replace(/^\/+/, ""), found) };
  return { draft: query === undefined ? read : takeQuery(read, opened, query), base: found };
}

/** Applies a query. Fields that it does not name are emptied. */
function takeQuery(draft: Draft, opened: PresetCall, query: string): Draft {
  const fields = carriesBody(draft.method) ? [] : findDraftCall(draft, opened).fields.map(({ name }) => name);
  const parameters = new Map([...new URLSearchParams(query)].filter(([name]) => !KEY_NAME.test(name)));
  const values = fields.map((name) => [name, parameters.get(name) ?? ""] as const);
  const rows = [...parameters].filter(([name]) => !fields.includes(name));
  return {
    ...draft,
    values: { ...draft.values, ...Object.fromEntries(values) },
    query: [
      ...draft.query.filter(({ name }) => !parameters.has(name)),
      ...rows.map(([name, value]) => ({ name, value })),
    ],
  };
}

/** Finds the base URL that an address begins with; the scheme does not count. */
export function findBase(address: string, bases: readonly BaseUrlView[]): BaseUrlView | undefined {
  const place = `${dropScheme(address)}/`;
  return bases
    .filter(({ url }) => place.startsWith(`${dropScheme(url)}/`))
    .sort((a, b) => b.url.length - a.url.length)[0];
}

function dropScheme(url: string): string {
  return url.replace(/^https?:\/\//i, "");
}

/** Removes the `.json` that is appended to every path sent to this base URL. */
export function dropJson(path: string, base: BaseUrlView | undefined): string {
  return base?.appendJson ? path.replace(/\.json$/i, "") : path;
}
