import { z } from "zod";
import { splitCommaList } from "./comma-list";
import { DEFAULT_RATES, type RateKind, type RateLimits } from "./http/default-rates";
import { SCOPES, type Scope } from "./http/token-scopes";

export interface BaseUrl {
  label: string;
  /** Without a trailing slash. */
  url: string;
}

export interface ApprovalLimits {
  lists: number;
  /** Limit of one piece; null: none. */
  pieces: number | null;
}

/** Scopes of an e-mail address, of `group:NAME`, or of everyone (`*`). */
export interface PeopleScopes {
  who: string;
  scopes: readonly Scope[];
}

/** Parts between commas. */
export const list = z.string().default("").transform(splitCommaList);
/** Parts between commas of one form, in lower case; `*` is everyone. */
export const listOf = (form: RegExp, name: string) =>
  list.transform((parts, context) => {
    const wrong = parts.find((part) => part !== "*" && !form.test(part));
    if (wrong !== undefined) {
      context.addIssue({ code: "custom", message: `must be ${name}, comma-separated (at "${wrong}")` });
    }
    return parts.map((part) => part.toLowerCase());
  });
const EMAIL = /^[^\s@]+@[^\s@]+$/;
export const emails = listOf(EMAIL, "e-mail addresses");
export const domains = listOf(/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u, "domains like example.com");
export const integer = (min: number, max: number, preset: number) =>
  z.coerce.number().int().min(min).max(max).default(preset);
/** Null when it is empty. */
export const text = z
  .string()
  .optional()
  .transform((value) => (value?.trim() ? value.trim() : null));
export const postgresAddress = text.refine(isPostgres, "must start with postgres://");
/** Origin of an http or https address. */
export const origin = z.string().transform((value, context) => {
  const url = parseUrl(value);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    context.addIssue({ code: "custom", message: "must be an http or https address" });
    return z.NEVER;
  }
  return url.origin;
});
/** An address whose answers are trusted; null when it is empty. */
export const trustedAddress = text.superRefine((value, context) => {
  if (value === null) return;
  const url = parseUrl(value);
  const problem = url ? findBaseUrlProblem(url) : "must be an https address";
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

/** Parses `Label=URL` pairs, at least one. */
export function parseBaseUrls(pairs: string, context: z.RefinementCtx): [BaseUrl, ...BaseUrl[]] {
  const found: BaseUrl[] = [];
  for (const pair of pairs.split(",").map((part) => part.trim())) {
    const [, label, address] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    const url = address ? parseUrl(address.trim()) : null;
    const problem = !label || !url ? "must be Label=URL pairs, comma-separated" : findBaseUrlProblem(url);
    if (problem !== null || !label || !url) {
      context.addIssue({ code: "custom", message: `${problem} (at "${pair}")` });
      return z.NEVER;
    }
    found.push({ label: label.trim(), url: url.origin + url.pathname.replace(/\/+$/, "") });
  }
  return found as [BaseUrl, ...BaseUrl[]];
}

/** Parses `lists` (every list, no single piece) or a number of credits. */
export function parseApproval(text: string, context: z.RefinementCtx): ApprovalLimits | null {
  const value = text.trim();
  if (value === "") return null;
  if (value === "lists") return { lists: 0, pieces: null };
  if (/^\d{1,7}$/.test(value)) return { lists: Number(value), pieces: Number(value) };
  context.addIssue({ code: "custom", message: "must be a number of credits, or lists" });
  return z.NEVER;
}

/** Parses an e-mail or the address of a page for `security.txt`. */
export function parseContact(contact: string | null, context: z.RefinementCtx): string | null {
  if (contact === null || (parseUrl(contact)?.protocol === "https:" && !/\s/.test(contact))) return contact;
  if (/^[^\s@:]+@[^\s@:]+$/.test(contact)) return `mailto:${contact}`;
  context.addIssue({ code: "custom", message: "must be an e-mail or an https address" });
  return z.NEVER;
}

/** Parses `who=scopes` pairs. Scopes are separated by spaces; `*` is all of them. */
export function parsePeopleScopes(pairs: string[], context: z.RefinementCtx): PeopleScopes[] | null {
  if (pairs.length === 0) return null;
  return pairs.map((pair) => {
    const [, who = "", words = ""] = /^([^=]+)=([^=]+)$/.exec(pair) ?? [];
    const name = who.trim();
    const isGroup = name.startsWith("group:");
    const named = words.trim().split(/\s+/);
    const scopes = SCOPES.filter((scope) => named.includes(scope));
    const isKnown = named.every((word) => word === "*" || scopes.includes(word as Scope));
    if (!isKnown || !(isGroup || name === "*" || EMAIL.test(name))) {
      const form = `who=scopes pairs, where who is an e-mail address, group:NAME or *, and scopes are ${SCOPES.join(" ")} or *`;
      context.addIssue({ code: "custom", message: `must be ${form} (at "${pair}")` });
    }
    // Pages need `read`.
    const granted = named.includes("*") ? SCOPES : [...new Set<Scope>(["read", ...scopes])];
    return { who: isGroup ? name : name.toLowerCase(), scopes: granted };
  });
}

/** Parses the origins of http and https addresses. */
export function parseOrigins(addresses: string[], context: z.RefinementCtx): string[] {
  return addresses.map((address) => {
    const url = parseUrl(address);
    if (url && ["http:", "https:"].includes(url.protocol)) return url.origin;
    context.addIssue({ code: "custom", message: `must be http or https addresses (at "${address}")` });
    return "";
  });
}

/** Parses `off`, or differences from the default: `read=2000,send=600`. */
export function parseRateLimits(pairs: string, context: z.RefinementCtx): RateLimits | null {
  if (pairs.trim() === "off") return null;
  const limits: RateLimits = { ...DEFAULT_RATES };
  for (const pair of splitCommaList(pairs)) {
    const [, kind = "", number] = /^([a-z-]+)=([1-9]\d{0,6})$/.exec(pair) ?? [];
    if (!Object.hasOwn(limits, kind)) {
      const kinds = Object.keys(DEFAULT_RATES).join(", ");
      context.addIssue({
        code: "custom",
        message: `must be off, or kind=requests pairs of ${kinds} (at "${pair}")`,
      });
      return z.NEVER;
    }
    limits[kind as RateKind] = Number(number);
  }
  return limits;
}

/** True for a loopback address. */
export function isThisMachine({ hostname }: URL): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/** True when an address is https, or plain http within this machine. */
export function isConfidential(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isThisMachine(url));
}

function findBaseUrlProblem(url: URL): string | null {
  if (!isConfidential(url)) {
    return "must be https (plain http only for this machine)";
  }
  if (url.username || url.password || url.search || url.hash) return "must be a plain address";
  return null;
}

/** True for null or a PostgreSQL address. */
export function isPostgres(url: string | null): boolean {
  return url === null || /^postgres(ql)?:\/\//.test(url);
}

/** True for null or three letters. */
export function isCurrency(value: string | null): boolean {
  return value === null || /^[a-z]{3}$/i.test(value);
}

function parseUrl(value: string): URL | null {
  return URL.canParse(value) ? new URL(value) : null;
}
