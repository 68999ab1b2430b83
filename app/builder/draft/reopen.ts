import type { FormField, JsonValue, Method } from "~/catalogue/types";
import type { MailType } from "~/pieces/mail-type";
import { isRecord } from "~/platform/json-value";
import { decodePercent, encodePercent } from "~/platform/percent-encoding";
import { classifyCall } from "~/proxy/live-mail-rule";
import { type CallTemplate, carriesBody, type Draft, listPathNames, METHODS, toPairs } from "./draft";
import {
  clearFilePlaceholders,
  fillFormFromBody,
  formatBody,
  isOffered,
  type MissingFile,
  makesBody,
  replaceMissingFiles,
} from "./reopen-body";
import { coerce } from "./request";

/** Differences between a reopened response and the request that was sent. */
export interface ReopenReport {
  /** `21 Nov 2026, 13:05 UTC` */
  sentAt: string;
  /** It was opened to be sent again. */
  again: boolean;
  missing: MissingFile[];
  /** The body is in the Body tab, because the preset's form cannot build it. */
  byHand: boolean;
  /** Names of values that the preset's form cannot hold. */
  unfit: string[];
  /** Set if it was live mail, which opens as a test. */
  wasLive: MailType | null;
  /** The risk of sending it again, if it was or may have been mailed. */
  repeatRisk: string | null;
  /** The label of a base URL that is no longer configured. */
  lostBase: string | null;
}

/** A request that was sent earlier. */
export interface SentCall {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** Null for no body. A file that was not kept is an object `{ elided: "base64", bytes, sha256 }`. */
  body: unknown;
}

/** A draft that sends the same request again, as far as its content was kept. */
export interface ReopenedCall {
  draft: Draft;
  /** Files that were not kept. */
  missing: MissingFile[];
  /** Names of values that the preset's form cannot hold. */
  unfit: string[];
  /** It was live mail; the draft is a test. */
  wasLive: MailType | null;
}

/** Matches a sent path against a preset's path and returns the values of its `{names}`, else null. */
export function matchPath(template: Pick<CallTemplate, "path">, path: string): Record<string, string> | null {
  const names = listPathNames(template.path);
  const pattern = template.path
    .split(/\{\w+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("([^/]+)");
  const match = new RegExp(`^${pattern}$`).exec(path);
  if (!match) return null;
  const values: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const segment = match[index + 1] ?? "";
    const value = decodePercent(segment);
    if (value === null || encodePercent(value.trim()) !== segment) return null;
    values[name] = value;
  }
  return values;
}

/**
 * Opens a call with a preset. It uses the preset's form only if that builds exactly the same request, else the
 * body is edited by hand. Live mail opens as a test.
 */
export function reopenCall(call: SentCall, template: CallTemplate): ReopenedCall {
  const method = METHODS.find((known) => known === call.method) ?? template.method;
  const inPath = method === template.method ? matchPath(template, call.path) : null;
  const draft: Draft = {
    method,
    path: inPath ? template.path : call.path,
    values: { ...Object.fromEntries(template.fields.map(({ name }) => [name, ""])), ...inPath },
    files: {},
    query: [],
    headers: toPairs(call.headers),
    body: null,
  };
  const own = inPath ? template.fields.filter(({ name }) => !(name in inPath)) : [];
  const missing: MissingFile[] = [];
  if (!carriesBody(method)) {
    const unfit = fillFormFromQuery(draft, own, call.query);
    return { draft, missing, unfit: call.body ? [...unfit, "body"] : unfit, wasLive: null };
  }
  draft.query = toPairs(call.query);
  const wasLive = findLiveMailType(call, method);
  const sent = replaceMissingFiles(call.body ?? null, "", missing) as JsonValue;
  const body = wasLive ? { ...(isRecord(sent) ? sent : {}), test: true } : sent;
  const unfit = inPath ? fillFormFromBody(draft, own, template, body) : [];
  const inForm = inPath && unfit.length === 0 && makesBody(draft, template, body);
  if (!inForm) draft.body = formatBody(body, missing);
  clearFilePlaceholders(draft.values);
  return { draft, missing, unfit, wasLive };
}

/** Fills the fields that build the same query parameters. Returns the names of fields that cannot hold their value. */
function fillFormFromQuery(
  draft: Draft,
  fields: readonly FormField[],
  query: Record<string, string>,
): string[] {
  const unfit: string[] = [];
  const taken = new Set<string>();
  for (const field of fields) {
    const value = query[field.name];
    if (value === undefined) continue;
    const made = coerce(field, value);
    if (made !== undefined && String(made) === value && isOffered(field, value)) {
      draft.values[field.name] = value;
      taken.add(field.name);
    } else if (value !== "") unfit.push(field.name);
  }
  draft.query = toPairs(query).filter(({ name }) => !taken.has(name));
  return unfit;
}

function findLiveMailType(call: SentCall, method: Method): MailType | null {
  const classified = classifyCall({ ...call, method, body: call.body ?? {} }, []);
  if (!classified.ok || classified.call.kind !== "mail" || classified.call.test) return null;
  return classified.call.mailType;
}
