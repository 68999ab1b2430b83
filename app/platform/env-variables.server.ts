import { z } from "zod";
import { splitCommaList } from "./comma-list";
import { SCOPES, type Scope } from "./http/token-scopes";
import { DAY_MS, MINUTE_MS } from "./time";

/** Every variable of the environment with its form. An absent text is null, an absent list is empty. */

const text = z
  .string()
  .optional()
  .transform((value) => value?.trim() || null);
/** Parts between commas. */
const list = z.string().default("").transform(splitCommaList);
/** Parts between white space. */
const spacedList = z.string().transform((value) => value.split(/\s+/).filter(Boolean));
const integer = (min: number, max: number, preset: number) =>
  z.coerce.number().int().min(min).max(max).default(preset);
const logLevel = z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info");

/** Parts between commas of one form, in lower case; `*` is everyone. */
const listOf = (form: RegExp, name: string) =>
  list.transform((parts, context) => {
    const wrong = parts.find((part) => part !== "*" && !form.test(part));
    if (wrong !== undefined) return refuse(context, `must be ${name}, comma-separated (at "${wrong}")`);
    return parts.map((part) => part.toLowerCase());
  });
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const emails = listOf(EMAIL, "e-mail addresses");
const domains = listOf(/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u, "domains like example.com");
const publicKeys = listOf(/^age1[a-z0-9]+$/i, "public keys (age1…)");
const privateKeys = list.refine(
  (keys) => keys.every((key) => key.startsWith("AGE-SECRET-KEY-")),
  "must be private keys (AGE-SECRET-KEY-…), comma-separated",
);

const postgresAddress = text.refine(
  (address) => address === null || isPostgres(address),
  "must start with postgres://",
);

export function isPostgres(address: string): boolean {
  return /^postgres(ql)?:\/\//.test(address);
}

const origin = z
  .string()
  .transform((value, context) => toOrigin(value) ?? refuse(context, "must be an http or https address"));

const origins = list.transform((addresses, context) =>
  addresses.map(
    (address) => toOrigin(address) ?? refuse(context, `must be http or https addresses (at "${address}")`),
  ),
);

/** An address whose answers are trusted. */
const trustedAddress = text.superRefine((value, context) => {
  if (value === null) return;
  const url = parseUrl(value);
  const problem = url ? findTrustProblem(url) : "must be an https address";
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

/** An e-mail or the address of a page for `security.txt`. */
const contact = text.transform((value, context) => {
  if (value === null || (parseUrl(value)?.protocol === "https:" && !/\s/.test(value))) return value;
  if (/^[^\s@:]+@[^\s@:]+$/.test(value)) return `mailto:${value}`;
  return refuse(context, "must be an e-mail or an https address");
});

const currency = text
  .refine(
    (value) => value === null || /^[a-z]{3}$/i.test(value),
    "must be a currency of three letters, like USD",
  )
  .transform((value) => value?.toLowerCase() ?? null);

export interface BaseUrl {
  label: string;
  /** Without a trailing slash. */
  url: string;
}

const DEFAULT_BASE_URLS =
  "US=https://api-us1.stannp.com/v1,Global=https://api-eu1.stannp.com/v1,Dash=https://dash.stannp.com/api/v1";

/** `Label=URL` pairs, at least one. */
const baseUrls = z
  .string()
  .default(DEFAULT_BASE_URLS)
  .transform((pairs, context) => {
    const found = pairs.split(",").map((part): BaseUrl => {
      const pair = part.trim();
      const [, label, address] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
      const url = address ? parseUrl(address.trim()) : null;
      if (!label || !url) return refuse(context, `must be Label=URL pairs, comma-separated (at "${pair}")`);
      const problem = findTrustProblem(url);
      if (problem !== null) return refuse(context, `${problem} (at "${pair}")`);
      return { label: label.trim(), url: url.origin + url.pathname.replace(/\/+$/, "") };
    });
    return found as [BaseUrl, ...BaseUrl[]];
  });

interface ApprovalLimits {
  lists: number;
  /** Limit of one piece; null: none. */
  pieces: number | null;
}

/** `lists` (every list, no single piece) or a number of credits. */
const approvalLimits = text.transform((value, context): ApprovalLimits | null => {
  if (value === null) return null;
  if (value === "lists") return { lists: 0, pieces: null };
  if (/^\d{1,7}$/.test(value)) return { lists: Number(value), pieces: Number(value) };
  return refuse(context, "must be a number of credits, or lists");
});

/** Scopes of an e-mail address, of `group:NAME`, or of everyone (`*`). */
type PeopleScopes = { who: string; scopes: readonly Scope[] };

/** `who=scopes` pairs. Scopes are separated by spaces; `*` is all of them. */
const peopleScopes = list.transform((pairs, context): PeopleScopes[] | null => {
  if (pairs.length === 0) return null;
  return pairs.map((pair) => {
    const [, who = "", named = ""] = /^([^=]+)=([^=]+)$/.exec(pair) ?? [];
    const name = who.trim();
    const isGroup = name.startsWith("group:");
    const words = named.trim().split(/\s+/);
    const scopes = SCOPES.filter((scope) => words.includes(scope));
    const isKnown = words.every((word) => word === "*" || scopes.includes(word as Scope));
    if (!isKnown || !(isGroup || name === "*" || EMAIL.test(name))) {
      const form = `who=scopes pairs, where who is an e-mail address, group:NAME or *, and scopes are ${SCOPES.join(" ")} or *`;
      return refuse(context, `must be ${form} (at "${pair}")`);
    }
    // Pages need `read`.
    const granted = words.includes("*") ? SCOPES : [...new Set<Scope>(["read", ...scopes])];
    return { who: isGroup ? name : name.toLowerCase(), scopes: granted };
  });
});

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

/** `off`, or differences from the default: `read=2000,send=600`. */
const rateLimits = list.transform((pairs, context): Record<RateKind, number> | null => {
  if (pairs.join() === "off") return null;
  const limits: Record<RateKind, number> = { ...DEFAULT_RATES };
  for (const pair of pairs) {
    const [, kind = "", number] = /^([a-z-]+)=([1-9]\d{0,6})$/.exec(pair) ?? [];
    if (!Object.hasOwn(limits, kind)) {
      const kinds = Object.keys(DEFAULT_RATES).join(", ");
      return refuse(context, `must be off, or kind=requests pairs of ${kinds} (at "${pair}")`);
    }
    limits[kind as RateKind] = Number(number);
  }
  return limits;
});

export function isThisMachine({ hostname }: URL): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/** True when an address is https, or plain http within this machine. */
export function isConfidential(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isThisMachine(url));
}

function findTrustProblem(url: URL): string | null {
  if (!isConfidential(url)) return "must be https (plain http only for this machine)";
  if (url.username || url.password || url.search || url.hash) return "must be a plain address";
  return null;
}

function toOrigin(address: string): string | null {
  const url = parseUrl(address);
  return url && ["http:", "https:"].includes(url.protocol) ? url.origin : null;
}

function parseUrl(value: string): URL | null {
  return URL.canParse(value) ? new URL(value) : null;
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}

/** Variables by their name in the code: each one's own name and its form. */
export type Table = Readonly<Record<string, readonly [name: string, form: z.ZodType]>>;
export type ValuesOf<T extends Table> = { [Key in keyof T]: z.output<T[Key][1]> };

export const OWN = {
  production: ["NODE_ENV", text.transform((mode) => mode === "production")],
  port: ["PORT", integer(0, 65_535, 3000)],
  host: ["HOST", text],
  /** Absent: this machine at the port. */
  appOrigin: ["APP_ORIGIN", origin.optional()],
  /** Proxies in front of this process that add to `X-Forwarded-For`. */
  trustedProxies: ["TRUST_PROXY", integer(0, 10, 0)],
  maxConnections: ["MAX_CONNECTIONS", integer(10, 100_000, 1_000)],
  /** Requests per minute of one caller; null: no limit. */
  rateLimits: ["RATE_LIMITS", rateLimits],
  /** How long the process serves requests after it reports not ready. */
  stopDelayMs: ["STOP_DELAY_MS", integer(0, 60_000, 0)],
  reconcileIntervalMs: ["RECONCILE_INTERVAL_MS", integer(0, 3_600_000, 15_000)],
  /** Folder of facts that the database could not take yet. */
  spoolFolder: ["MAILROOM_SPOOL_DIR", text.transform((folder) => folder ?? "data/spool")],
  logLevel: ["LOG_LEVEL", logLevel],
  /** Null: `/metrics` answers 404. */
  metricsToken: ["METRICS_TOKEN", text],
  /** True when spans go to a collector; the SDK reads the `OTEL_*` variables. */
  tracing: ["OTEL_EXPORTER_OTLP_ENDPOINT", text.transform((address) => address !== null)],
  /** Address of a copy that follows the database; null: none. */
  replicaUrl: ["READ_DATABASE_URL", postgresAddress],
  /** Address with the owner of the tables, for commands that change them; null: the database's own user. */
  ownerUrl: ["OWNER_DATABASE_URL", postgresAddress],
  /** Address with a user that reads the tables and records a backup; null: the database's own user. */
  backupUrl: ["BACKUP_DATABASE_URL", postgresAddress],
  providerKey: ["STANNP_API_KEY", text],
  /** Earlier keys, only for mail sent with them: it is looked up and repeated with the same key. */
  retiredProviderKeys: ["STANNP_RETIRED_API_KEYS", list],
  baseUrls: ["STANNP_BASE_URLS", baseUrls],
  providerTimeoutMs: ["STANNP_TIMEOUT_MS", integer(1, 600_000, 60_000)],
  /** Concurrent calls of this process for which people wait. */
  providerCallsAtOnce: ["STANNP_CONCURRENCY", integer(1, 1_000, 32)],
  /** Currency of the provider's prices, `usd`; null: not known. */
  providerCurrency: ["STANNP_CURRENCY", currency],
  allowedPaths: ["STANNP_ALLOW_PATHS", list],
  /** Any of them may sign an event. Empty: the provider's webhook receiver answers 404. */
  providerWebhookSecrets: ["STANNP_WEBHOOK_SECRET", list],
  sessionSecrets: ["SESSION_SECRET", list],
  /** Keys for secrets in the database; the first one encrypts. Empty: secrets are stored in plain text. */
  encryptionSecrets: ["ENCRYPTION_SECRET", list],
  /** People with every scope, in lower case. Empty: everyone, unless `peopleScopes` is set. */
  adminEmails: ["ADMIN_EMAILS", emails],
  /** Scopes of everyone else; null: all but `admin`. */
  peopleScopes: ["PEOPLE_SCOPES", peopleScopes],
  /** Age up to which a sign-in is recent; 0: any. */
  freshSignInMs: ["FRESH_SIGN_IN_MINUTES", integer(0, 1_440, 15).transform((minutes) => minutes * MINUTE_MS)],
  /** Age of the owner's sign-in up to which tokens are valid; 0: any. */
  tokenOwnerMs: ["TOKEN_OWNER_DAYS", integer(0, 3_650, 90).transform((days) => days * DAY_MS)],
  /** Address for reports of weaknesses, `mailto:` or `https:`; null: none. */
  securityContact: ["SECURITY_CONTACT", contact],
  /** One person's limit for live mail on a day (UTC); null: none. */
  dailyCreditsPerPerson: [
    "DAILY_CREDITS_PER_PERSON",
    integer(0, 1_000_000, 0).transform((limit) => limit || null),
  ],
  /** Live mail that costs more needs a second person; null: none does. */
  approval: ["APPROVAL_ABOVE_CREDITS", approvalLimits],
  /** Origins of webhook receivers that may be http and private; never in production. */
  localWebhookOrigins: ["WEBHOOK_LOCAL_ORIGINS", origins],
  /** Age at which personal data of settled mail is removed. 0: never. */
  retentionDays: ["RETENTION_DAYS", integer(0, 36_500, 0)],
} as const satisfies Table;

/** The first of these that is set counts. */
export const DATABASE = {
  mailroom: ["MAILROOM_DATABASE_URL", text],
  postgres: ["POSTGRES_URL", text],
  other: ["DATABASE_URL", text],
} as const satisfies Table;

export const BACKUPS = {
  /** Empty: backups are not encrypted. */
  publicKeys: ["BACKUP_PUBLIC_KEYS", publicKeys],
  privateKeys: ["BACKUP_PRIVATE_KEYS", privateKeys],
  /** Each backup is also copied here; null: no copy. */
  copyFolder: ["BACKUP_COPY_FOLDER", text],
} as const satisfies Table;

export const IDENTITY = {
  issuer: ["OAUTH_ISSUER", trustedAddress],
  clientId: ["OAUTH_CLIENT_ID", text],
  clientSecret: ["OAUTH_CLIENT_SECRET", text],
  scopes: ["OAUTH_SCOPES", spacedList.default(["openid", "profile", "email"])],
  allowedEmails: ["OAUTH_ALLOWED_EMAILS", emails],
  allowedDomains: ["OAUTH_ALLOWED_DOMAINS", domains],
} as const satisfies Table;

export const STRIPE = {
  /** The first is used; the next ones while Stripe refuses it. */
  secretKeys: ["STRIPE_SECRET_KEY", list],
  /** Any of them may sign an event. Empty: payments are confirmed by polling Stripe. */
  webhookSecrets: ["STRIPE_WEBHOOK_SECRET", list],
  apiBase: ["STRIPE_API_BASE", origin.default("https://api.stripe.com")],
} as const satisfies Table;
