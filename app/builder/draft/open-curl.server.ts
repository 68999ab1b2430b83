import { z } from "zod";
import type { PresetCall } from "~/catalogue/types";
import { dropCredentials, filterHeaders, isCredentialName } from "~/outside/mail-provider/call/wire.server";
import { env } from "~/platform/env.server";
import { formatProblems } from "~/platform/input.server";
import { isRecord, parseJson } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { type CurlBody, parseCurlBody, parseCurlQuery, typeFormValues } from "./curl-body.server";
import { type BaseUrlView, carriesBody, type Draft, findMailKind, METHODS, type PresetDraft } from "./draft";
import { listMailProblems } from "./mail-rules";
import { type CurlCommand, formatKeyDropped, parseCurl } from "./parse-curl.server";
import { findPresetCall, reopenUnderPreset, toBaseUrlView } from "./presets.server";
import { dropJson, findBase } from "./read-address";
import { reopenCall, type SentCall } from "./reopen.server";

/** Headers that browsers and curl add automatically; no request needs them. */
const NOISE =
  /^(?:authority|user-agent|accept-encoding|connection|content-length|host|origin|referer|sec-.*|dnt|priority|te|pragma|cache-control)$/i;

/**
 * Opens a curl command as a draft: in the preset that its method and path belong to, with the form filled as far as
 * that builds the same request. Keys are dropped. Nothing is sent. Fails with `bad_input` for any other text.
 * @param fallback the base URL for a host that is not configured
 */
export function openCurl(
  text: string,
  fallback: BaseUrlView,
): Outcome<{ opened: PresetDraft; report: CurlReport }> {
  const parsed = parseCurl(text);
  if (!parsed.ok) return parsed;
  const command = openMailroomCall(parsed.value, fallback.url);
  const { base, path, known } = findPlace(command.url, fallback);
  const keys = new Set<string>();
  const headers = takeHeaders(command, keys);
  const repeated = new Set<string>();
  const query = takeQuery(command, keys, repeated);
  const taken = takeBody(command, headers.type, keys);
  if (!taken.ok) return taken;
  const body = taken.value;
  const method = findMethod(command, body);
  if (!METHODS.some((known) => known === method))
    return fail("bad_input", `The builder has no ${method} requests.`);
  const sent: SentCall = {
    method,
    path,
    query,
    headers: {
      ...headers.kept,
      ...(body.kind === "value" && body.form ? { "content-type": "application/x-www-form-urlencoded" } : {}),
    },
    body: body.kind === "value" ? body.value : null,
  };
  const { preset, documented } = reopenUnderPreset(sent, "");
  const call = findPresetCall(preset, documented);
  const { draft, missing, unfit, wasLive } = reopenCall(
    { ...sent, body: typeFormValues(sent.body, call.fields) },
    call,
  );
  if (body.kind === "text" && carriesBody(method)) draft.body = body.text;
  else if (unfit.length === 0 && isUnfinished(draft, call)) draft.body = null;
  const names = missing.map(({ name }) => name ?? "the file");
  return succeed({
    opened: { presetId: preset.id, documented, baseLabel: base.label, draft },
    report: {
      keys: [...keys],
      otherBase: known ? [] : [command.url.host, base.label],
      filesToChoose: draft.body === null ? names : [],
      filesByHand: draft.body === null ? [] : names,
      headersLeftOut: headers.leftOut,
      unfit,
      repeated: [...repeated],
      wasLive: wasLive ? [wasLive] : [],
    },
  });
}

/** A mail form that holds all of the command but breaks a rule: its fields are easier to finish than its JSON. */
function isUnfinished(draft: Draft, call: PresetCall): boolean {
  const kind = findMailKind(call);
  return kind !== null && draft.path === call.path && listMailProblems(kind, draft.values).length > 0;
}

/** Finds the configured base URL of an address and the path below it; for another host, the path after its version. */
function findPlace(url: URL, fallback: BaseUrlView): { base: BaseUrlView; path: string; known: boolean } {
  const address = url.origin + url.pathname;
  const own = findBase(address, env().baseUrls.map(toBaseUrlView));
  const base = own ?? fallback;
  const root = own ? new URL(own.url).pathname : (/^(?:\/api)?\/v\d+(?=\/)/.exec(url.pathname)?.[0] ?? "");
  const rest = url.pathname.slice(root.length);
  return { base, path: dropJson(rest.replace(/^\/+|\/+$/g, ""), base), known: own !== undefined };
}

function findMethod(command: CurlCommand, body: CurlBody): string {
  const has = (name: string) => command.options.some((option) => option.name === name);
  if (command.method) return command.method;
  if (has("head")) return "HEAD";
  if (has("upload-file")) return "PUT";
  return body.kind === "none" ? "GET" : "POST";
}

/** Keeps the headers that the proxy passes on. Credentials are dropped and recorded. */
function takeHeaders({ options, url }: CurlCommand, keys: Set<string>) {
  const kept: Record<string, string> = {};
  const leftOut: string[] = [];
  let type = "";
  for (const { name, value } of options) {
    if (name === "user" || name === "oauth2-bearer") keys.add(name === "user" ? "-u" : `--${name}`);
    if (name === "cookie") leftOut.push("cookie");
    if (name === "json") Object.assign(kept, { accept: "application/json" });
    if (name !== "header") continue;
    const at = value.indexOf(":");
    const header = value.slice(0, at).trim().toLowerCase();
    const text = value.slice(at + 1).trim();
    if (at < 1 || NOISE.test(header)) continue;
    const passes = filterHeaders({ [header]: text });
    if (header === "content-type") type = text;
    else if (isCredentialName(header)) keys.add(`header ${header}`);
    else if (passes.ok && header in passes.value) kept[header] = text;
    else leftOut.push(header);
  }
  if (url.username !== "" || url.password !== "") keys.add("the web address");
  return { kept, leftOut: [...new Set(leftOut)], type };
}

function takeQuery(command: CurlCommand, keys: Set<string>, repeated: Set<string>): Record<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of [...command.url.searchParams, ...parseCurlQuery(command)]) {
    if (isCredentialName(name)) keys.add(`${name} in the query`);
    else {
      if (query.has(name)) repeated.add(name);
      query.set(name, value);
    }
  }
  return Object.fromEntries(query);
}

/** Removes credentials from the body. Fails with `bad_input` when it is nested deeper than any request may be. */
function takeBody(command: CurlCommand, contentType: string, keys: Set<string>): Outcome<CurlBody> {
  if (command.options.some(({ name }) => name === "get")) return succeed({ kind: "none" });
  const body = parseCurlBody(command, contentType);
  if (body.kind !== "value") return succeed(body);
  const kept = dropCredentials(body.value);
  if (!kept.ok) return kept;
  collectKeys(body.value, keys);
  return succeed({ ...body, value: kept.value });
}

function collectKeys(value: unknown, keys: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (isCredentialName(name)) keys.add(`${name} in the body`);
    else collectKeys(inner, keys);
  }
}

const OWN_API = /(?:^|\/)api\/stannp\/?$/;

/** Unwraps a command that calls Mailroom, such as its own code samples, into the command for the provider. */
function openMailroomCall(command: CurlCommand, baseUrl: string): CurlCommand {
  if (!OWN_API.test(command.url.pathname)) return command;
  const data = command.options.find(({ name }) => name.startsWith("data") || name === "json");
  const call = parseJson(data?.value ?? "");
  if (!isRecord(call) || typeof call.path !== "string") return command;
  const base = typeof call.baseUrl === "string" ? call.baseUrl : baseUrl;
  const address = `${base}/${call.path}?${new URLSearchParams(toTexts(call.query))}`;
  if (!URL.canParse(address)) return command;
  const headers = Object.entries(toTexts(call.headers));
  return {
    url: new URL(address),
    method: typeof call.method === "string" ? call.method.toUpperCase() : "POST",
    options: [
      // Only the keys of the outer call matter; they are recorded.
      ...command.options.filter(({ name, value }) => name === "user" || /^authorization:/i.test(value)),
      ...headers.map(([name, value]) => ({ name: "header", value: `${name}: ${value}` })),
      ...(call.body === undefined ? [] : [{ name: "data-raw", value: JSON.stringify(call.body) }]),
    ],
  };
}

function toTexts(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}

/** The notes about what the draft changed or dropped, the most important first, each from the values that it names. */
const NOTES = {
  wasLive: () => "It was live mail. It opens as a test.",
  keys: formatKeyDropped,
  /** The host of the command, and the label of the base URL that is used. */
  otherBase: ([host, label]) => `${host} is not one of the base URLs here. ${label} is used instead.`,
  filesToChoose: (files) => `Choose ${files.join(", ")}: files are not part of a command.`,
  filesByHand: (files) => `The Body tab says where the base64 of ${files.join(", ")} goes.`,
  headersLeftOut: (headers) => `Not sent from here: ${headers.join(", ")}.`,
  unfit: (names) =>
    `The form has no field for ${names.join(", ")}: see the Body or Query Params tab. They will be sent.`,
  repeated: (names) => `Given twice, the last value counts: ${names.join(", ")}.`,
} satisfies Record<string, (values: readonly string[]) => string>;

type CurlReport = Record<keyof typeof NOTES, string[]>;

/** Formats the report. A part without values has no note. */
export function listCurlNotes(report: CurlReport): string[] {
  return (Object.keys(NOTES) as (keyof CurlReport)[]).flatMap((part) =>
    report[part].length > 0 ? [NOTES[part](report[part])] : [],
  );
}

const schema = z.object({ command: z.string("is required"), base: z.string().max(200).optional() });

/** Parses a command with the base URL for hosts that are not configured, named by its label; else `bad_input`. */
export function parseCurlRequest(body: unknown): Outcome<{ command: string; base: BaseUrlView }> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) return fail("bad_input", formatProblems(parsed.error));
  const { command, base: label } = parsed.data;
  const { baseUrls } = env();
  return succeed({
    command,
    base: toBaseUrlView(baseUrls.find((base) => base.label === label) ?? baseUrls[0]),
  });
}
