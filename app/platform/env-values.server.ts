import { z } from "zod";
import { splitCommaList } from "./comma-list";
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

/** Requests per minute of one person or address, by kind. `RATE_LIMITS` changes them. */
export const DEFAULT_RATES = {
  /** Pages and their data. */
  read: 900,
  /** Searches and comparisons. */
  search: 300,
  /** Files with many rows, and PDFs that are fetched or drawn. */
  export: 120,
  /** Changes in Mailroom. */
  write: 300,
  /** Calls of the provider. */
  send: 300,
  /** Sign-in requests (two per sign-in). */
  "sign-in": 60,
  /** Events of the provider and of Stripe, which retry refused ones. */
  webhook: 6_000,
} as const;

export type RateKind = keyof typeof DEFAULT_RATES;

export type RateLimits = Record<RateKind, number>;

/** Parts between commas. */
const list = z.string().default("").transform(splitCommaList);
/** Parts between commas of one form, in lower case; `*` is everyone. */
const listOf = (form: RegExp, name: string) =>
  list.transform((parts, context) => {
    const wrong = parts.find((part) => part !== "*" && !form.test(part));
    if (wrong !== undefined) {
      context.addIssue({ code: "custom", message: `must be ${name}, comma-separated (at "${wrong}")` });
    }
    return parts.map((part) => part.toLowerCase());
  });
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const emails = listOf(EMAIL, "e-mail addresses");
const domains = listOf(/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u, "domains like example.com");
const integer = (min: number, max: number, preset: number) =>
  z.coerce.number().int().min(min).max(max).default(preset);
/** Null when it is empty. */
const text = z
  .string()
  .optional()
  .transform((value) => (value?.trim() ? value.trim() : null));
const postgresAddress = text.refine(isPostgres, "must start with postgres://");
/** Origin of an http or https address. */
const origin = z.string().transform((value, context) => {
  const url = parseUrl(value);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    context.addIssue({ code: "custom", message: "must be an http or https address" });
    return z.NEVER;
  }
  return url.origin;
});
/** An address whose answers are trusted; null when it is empty. */
const trustedAddress = text.superRefine((value, context) => {
  if (value === null) return;
  const url = parseUrl(value);
  const problem = url ? findBaseUrlProblem(url) : "must be an https address";
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

const DEFAULT_BASE_URLS =
  "US=https://api-us1.stannp.com/v1,Global=https://api-eu1.stannp.com/v1,Dash=https://dash.stannp.com/api/v1";
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/** Every variable that is read, by its name. */
export const variables = z.object({
  NODE_ENV: z.string().optional(),
  PORT: integer(0, 65_535, 3000),
  HOST: z.string().optional(),
  APP_ORIGIN: origin.optional(),
  SESSION_SECRET: list,
  ENCRYPTION_SECRET: list,
  MAILROOM_DATABASE_URL: text,
  POSTGRES_URL: text,
  DATABASE_URL: text,
  READ_DATABASE_URL: postgresAddress,
  OWNER_DATABASE_URL: postgresAddress,
  BACKUP_DATABASE_URL: postgresAddress,
  BACKUP_PUBLIC_KEYS: listOf(/^age1[a-z0-9]+$/i, "public keys (age1…)"),
  BACKUP_PRIVATE_KEYS: list.refine(
    (keys) => keys.every((key) => key.startsWith("AGE-SECRET-KEY-")),
    "must be private keys (AGE-SECRET-KEY-…), comma-separated",
  ),
  BACKUP_COPY_FOLDER: text,
  STANNP_API_KEY: text,
  STANNP_RETIRED_API_KEYS: list,
  STANNP_BASE_URLS: z.string().default(DEFAULT_BASE_URLS).transform(parseBaseUrls),
  STANNP_TIMEOUT_MS: integer(1, 600_000, 60_000),
  STANNP_CONCURRENCY: integer(1, 1_000, 32),
  STANNP_CURRENCY: text.refine(isCurrency, "must be a currency of three letters, like USD"),
  STANNP_ALLOW_PATHS: list,
  OAUTH_ISSUER: trustedAddress,
  OAUTH_CLIENT_ID: text,
  OAUTH_CLIENT_SECRET: text,
  OAUTH_SCOPES: z.string().default("openid profile email"),
  OAUTH_ALLOWED_EMAILS: emails,
  OAUTH_ALLOWED_DOMAINS: domains,
  ADMIN_EMAILS: emails,
  SECURITY_CONTACT: text.transform(parseContact),
  PEOPLE_SCOPES: list.transform(parsePeopleScopes),
  FRESH_SIGN_IN_MINUTES: integer(0, 1_440, 15),
  TOKEN_OWNER_DAYS: integer(0, 3_650, 90),
  DAILY_CREDITS_PER_PERSON: integer(0, 1_000_000, 0),
  STANNP_WEBHOOK_SECRET: list,
  STRIPE_SECRET_KEY: list,
  STRIPE_WEBHOOK_SECRET: list,
  STRIPE_API_BASE: origin.default("https://api.stripe.com"),
  APPROVAL_ABOVE_CREDITS: z.string().default("").transform(parseApproval),
  WEBHOOK_LOCAL_ORIGINS: list.transform(parseOrigins),
  RETENTION_DAYS: integer(0, 36_500, 0),
  STOP_DELAY_MS: integer(0, 60_000, 0),
  RECONCILE_INTERVAL_MS: integer(0, 3_600_000, 15_000),
  RATE_LIMITS: z.string().default("").transform(parseRateLimits),
  TRUST_PROXY: integer(0, 10, 0),
  MAX_CONNECTIONS: integer(10, 100_000, 1_000),
  LOG_LEVEL: z.enum(LOG_LEVELS as [string, ...string[]]).default("info"),
  METRICS_TOKEN: text,
  OTEL_EXPORTER_OTLP_ENDPOINT: text,
  MAILROOM_SPOOL_DIR: z.string().default("data/spool"),
});

export type VariableValues = z.output<typeof variables>;

/** Parses `Label=URL` pairs, at least one. */
function parseBaseUrls(pairs: string, context: z.RefinementCtx): [BaseUrl, ...BaseUrl[]] {
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
function parseApproval(text: string, context: z.RefinementCtx): ApprovalLimits | null {
  const value = text.trim();
  if (value === "") return null;
  if (value === "lists") return { lists: 0, pieces: null };
  if (/^\d{1,7}$/.test(value)) return { lists: Number(value), pieces: Number(value) };
  context.addIssue({ code: "custom", message: "must be a number of credits, or lists" });
  return z.NEVER;
}

/** Parses an e-mail or the address of a page for `security.txt`. */
function parseContact(contact: string | null, context: z.RefinementCtx): string | null {
  if (contact === null || (parseUrl(contact)?.protocol === "https:" && !/\s/.test(contact))) return contact;
  if (/^[^\s@:]+@[^\s@:]+$/.test(contact)) return `mailto:${contact}`;
  context.addIssue({ code: "custom", message: "must be an e-mail or an https address" });
  return z.NEVER;
}

/** Parses `who=scopes` pairs. Scopes are separated by spaces; `*` is all of them. */
function parsePeopleScopes(pairs: string[], context: z.RefinementCtx): PeopleScopes[] | null {
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
function parseOrigins(addresses: string[], context: z.RefinementCtx): string[] {
  return addresses.map((address) => {
    const url = parseUrl(address);
    if (url && ["http:", "https:"].includes(url.protocol)) return url.origin;
    context.addIssue({ code: "custom", message: `must be http or https addresses (at "${address}")` });
    return "";
  });
}

/** Parses `off`, or differences from the default: `read=2000,send=600`. */
function parseRateLimits(pairs: string, context: z.RefinementCtx): RateLimits | null {
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
function isCurrency(value: string | null): boolean {
  return value === null || /^[a-z]{3}$/i.test(value);
}

function parseUrl(value: string): URL | null {
  return URL.canParse(value) ? new URL(value) : null;
}
