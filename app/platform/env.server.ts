import { readFileSync } from "node:fs";
import { z } from "zod";
import { listProductionProblems } from "./env-safety.server";
import {
  type ApprovalLimits,
  type BaseUrl,
  domains,
  emails,
  isCurrency,
  isPostgres,
  list,
  listOf,
  origin,
  type PeopleScopes,
  parseApproval,
  parseBaseUrls,
  parseContact,
  parseOrigins,
  parsePeopleScopes,
  parseRateLimits,
  text,
  trustedAddress,
} from "./env-values.server";
import type { RateLimits } from "./http/default-rates";
import { DAY_MS, MINUTE_MS } from "./time";

/**
 * The environment, read and checked once. No other file reads `process.env`. An absent variable means "not configured"
 * and is never an error; one that is present but wrong stops the start, with one line per variable.
 */

export type DatabaseTarget =
  | { kind: "none" }
  /** `single`: the socket of an embedded database that another process has open; it has one session for all. */
  | { kind: "postgres"; url: string; single?: true }
  | { kind: "embedded"; folder: string | "memory" };

export interface IdentitySettings {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  scopes: string[];
  allowedEmails: string[];
  allowedDomains: string[];
}

interface StripeSettings {
  /** The first is used; the next ones for as long as Stripe does not take it. */
  secretKeys: [string, ...string[]];
  /** An event signed with any of them counts. Empty: payments are confirmed by asking Stripe only. */
  webhookSecrets: string[];
  apiBase: string;
}

interface BackupSettings {
  /** Backups are encrypted for these. Empty: they are not encrypted. */
  publicKeys: string[];
  /** For a restore. */
  privateKeys: string[];
  /** Each backup is also copied there; null: it is not. */
  copyFolder: string | null;
}

export interface Environment {
  production: boolean;
  port: number;
  host: string | undefined;
  appOrigin: string;
  sessionSecrets: string[];
  /** Encrypt secrets in the database, the first also new ones. Empty: they are stored as they are. */
  encryptionSecrets: string[];
  database: DatabaseTarget;
  /** Who owns the tables, for the commands that change them; null: the configured database's own user. */
  ownerUrl: string | null;
  /** Who may only read the tables and note the backup; null: the configured database's own user. */
  backupUrl: string | null;
  backups: BackupSettings;
  /** The address of a copy that follows `database`; null: there is none. */
  replicaUrl: string | null;
  providerKey: string | null;
  /** Earlier keys: what was sent with one is looked up and repeated with it, and nothing else is. */
  retiredProviderKeys: string[];
  baseUrls: [BaseUrl, ...BaseUrl[]];
  providerTimeoutMs: number;
  /** Calls that people wait for, under way at once in this process. */
  providerCallsAtOnce: number;
  /** Of the provider's prices, which name none: `usd`. Null: not known. */
  providerCurrency: string | null;
  allowedPaths: string[];
  /** An event signed with any of them counts. Empty: the provider's webhook receiver answers 404. */
  providerWebhookSecrets: string[];
  identity: IdentitySettings | null;
  /** People with every scope, in lower case. Empty: everyone, unless `peopleScopes` is set. */
  adminEmails: string[];
  /** Where weaknesses are reported, an address with `mailto:` or `https:`; null: there is none. */
  securityContact: string | null;
  /** Scopes of everyone else; null: all but `admin`. */
  peopleScopes: PeopleScopes[] | null;
  /** For how long a sign-in is recent enough for what is grave; 0: always. */
  freshSignInMs: number;
  /** For how long an owner's sign-in keeps their tokens in use; 0: always. */
  tokenOwnerMs: number;
  /** What one person may spend on live mail in a day (UTC), in credits; null: no limit. */
  dailyCreditsPerPerson: number | null;
  /** Origins of webhook receivers on this machine, which may be http and private; never in production. */
  localWebhookOrigins: string[];
  /** Live mail that costs more than this, in credits, needs a second person; null: none does. */
  approval: ApprovalLimits | null;
  /** Null: purchase is shown as not configured. */
  stripe: StripeSettings | null;
  reconcileIntervalMs: number;
  /** After so many days personal data is taken from what is settled. 0: never. */
  retentionDays: number;
  /** How long the process still takes requests after it said that it is not ready any more. */
  stopDelayMs: number;
  logLevel: string;
  /** Null: `/metrics` answers 404. */
  metricsToken: string | null;
  /** True when spans go to a collector; the SDK reads the `OTEL_*` variables. */
  tracing: boolean;
  /** Where facts are kept that the database could not take yet. */
  spoolFolder: string;
  /** Requests per minute of one caller; null: not counted. */
  rateLimits: RateLimits | null;
  /** Proxies in front of this process that add to `X-Forwarded-For`. */
  trustedProxies: number;
  maxConnections: number;
}

const DEFAULT_BASE_URLS =
  "US=https://api-us1.stannp.com/v1,Global=https://api-eu1.stannp.com/v1,Dash=https://dash.stannp.com/api/v1";
const DEVELOPMENT_SECRET = "mailroom-development-only";
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

const variables = z.object({
  NODE_ENV: z.string().optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().optional(),
  APP_ORIGIN: origin.optional(),
  SESSION_SECRET: list,
  ENCRYPTION_SECRET: list,
  MAILROOM_DATABASE_URL: text,
  POSTGRES_URL: text,
  DATABASE_URL: text,
  READ_DATABASE_URL: text.refine(isPostgres, "must start with postgres://"),
  OWNER_DATABASE_URL: text.refine(isPostgres, "must start with postgres://"),
  BACKUP_DATABASE_URL: text.refine(isPostgres, "must start with postgres://"),
  BACKUP_PUBLIC_KEYS: listOf(/^age1[a-z0-9]+$/i, "public keys (age1…)"),
  BACKUP_PRIVATE_KEYS: list.refine(
    (keys) => keys.every((key) => key.startsWith("AGE-SECRET-KEY-")),
    "must be private keys (AGE-SECRET-KEY-…), comma-separated",
  ),
  BACKUP_COPY_FOLDER: text,
  STANNP_API_KEY: text,
  STANNP_RETIRED_API_KEYS: list,
  STANNP_BASE_URLS: z.string().default(DEFAULT_BASE_URLS).transform(parseBaseUrls),
  STANNP_TIMEOUT_MS: z.coerce.number().int().min(1).max(600_000).default(60_000),
  STANNP_CONCURRENCY: z.coerce.number().int().min(1).max(1_000).default(32),
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
  FRESH_SIGN_IN_MINUTES: z.coerce.number().int().min(0).max(1_440).default(15),
  TOKEN_OWNER_DAYS: z.coerce.number().int().min(0).max(3_650).default(90),
  DAILY_CREDITS_PER_PERSON: z.coerce.number().int().min(0).max(1_000_000).default(0),
  STANNP_WEBHOOK_SECRET: list,
  STRIPE_SECRET_KEY: list,
  STRIPE_WEBHOOK_SECRET: list,
  STRIPE_API_BASE: origin.default("https://api.stripe.com"),
  APPROVAL_ABOVE_CREDITS: z.string().default("").transform(parseApproval),
  WEBHOOK_LOCAL_ORIGINS: list.transform(parseOrigins),
  RETENTION_DAYS: z.coerce.number().int().min(0).max(36_500).default(0),
  STOP_DELAY_MS: z.coerce.number().int().min(0).max(60_000).default(0),
  RECONCILE_INTERVAL_MS: z.coerce.number().int().min(0).max(3_600_000).default(15_000),
  RATE_LIMITS: z.string().default("").transform(parseRateLimits),
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  MAX_CONNECTIONS: z.coerce.number().int().min(10).max(100_000).default(1_000),
  LOG_LEVEL: z.enum(LOG_LEVELS as [string, ...string[]]).default("info"),
  METRICS_TOKEN: text,
  OTEL_EXPORTER_OTLP_ENDPOINT: text,
  MAILROOM_SPOOL_DIR: z.string().default("data/spool"),
});

/** Names of all variables that are read. */
export const VARIABLES: readonly string[] = Object.keys(variables.shape);

/** The variables that each part of the console needs; of a database's addresses, the first. */
const WANTED = [
  "APP_ORIGIN",
  "SESSION_SECRET",
  "ENCRYPTION_SECRET",
  "MAILROOM_DATABASE_URL",
  "STANNP_API_KEY",
  "STANNP_WEBHOOK_SECRET",
  "OAUTH_ISSUER",
  "OAUTH_CLIENT_ID",
  "OAUTH_CLIENT_SECRET",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "METRICS_TOKEN",
];

/** Names of our variables that are set, and of those that a part of the console goes without. Values are left out. */
export function reportEnvironment(source: Record<string, string | undefined> = process.env): {
  configured: string[];
  missing: string[];
} {
  const configured = VARIABLES.filter((name) => (source[name] || source[`${name}_FILE`])?.trim());
  const found = new Set(configured);
  if (found.has("POSTGRES_URL") || found.has("DATABASE_URL")) found.add("MAILROOM_DATABASE_URL");
  return { configured, missing: WANTED.filter((name) => !found.has(name)) };
}

/** Thrown by {@link parseEnvironment}; the message names each wrong variable on a line of its own. */
export class EnvironmentError extends Error {}

/** Reads `NAME_FILE`, the file with a variable's value, for each variable that is not set itself. */
function readFiles(source: Record<string, string | undefined>): Record<string, string | undefined> {
  const read = (name: string) => {
    const path = source[`${name}_FILE`];
    if (!path) return [];
    try {
      const value = readFileSync(path, "utf8").trim();
      if (value === "" || !source[name]) return [[name, source[name] || value]];
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? error.code : "no file";
      throw new EnvironmentError(`${name}_FILE: ${path} cannot be read (${reason}).`);
    }
    throw new EnvironmentError(`${name}_FILE: ${name} is set too; remove one of them.`);
  };
  return { ...source, ...Object.fromEntries(VARIABLES.flatMap(read)) };
}

/**
 * Checks a set of variables, each of which may be given as a file instead (`NAME_FILE`). Empty strings and files count as
 * absent, as `.env` files leave them.
 * @throws EnvironmentError when a value is present but unusable, or unsafe in production.
 */
export function parseEnvironment(source: Record<string, string | undefined>): Environment {
  const present = Object.fromEntries(Object.entries(readFiles(source)).filter(([, value]) => value !== ""));
  const parsed = variables.safeParse(present);
  if (!parsed.success) {
    throw new EnvironmentError(
      parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"),
    );
  }
  const values = parsed.data;
  const production = values.NODE_ENV === "production";
  const problems = production ? listProductionProblems(values) : [];
  if (problems.length > 0) throw new EnvironmentError(problems.join("\n"));
  if (values.BACKUP_COPY_FOLDER !== null && values.BACKUP_PUBLIC_KEYS.length === 0) {
    throw new EnvironmentError(
      "BACKUP_COPY_FOLDER: copies leave encrypted only. Set BACKUP_PUBLIC_KEYS (npm run backup -- --new-key).",
    );
  }
  const database = parseDatabaseTarget(
    values.MAILROOM_DATABASE_URL ?? values.POSTGRES_URL ?? values.DATABASE_URL,
  );
  if (values.READ_DATABASE_URL !== null && database.kind !== "postgres") {
    throw new EnvironmentError(
      "READ_DATABASE_URL: is for a copy of a PostgreSQL; set MAILROOM_DATABASE_URL to that PostgreSQL, or remove this.",
    );
  }
  return {
    production,
    port: values.PORT,
    host: values.HOST,
    appOrigin: values.APP_ORIGIN ?? `http://localhost:${values.PORT}`,
    sessionSecrets: values.SESSION_SECRET.length > 0 ? values.SESSION_SECRET : [DEVELOPMENT_SECRET],
    encryptionSecrets: values.ENCRYPTION_SECRET,
    database,
    replicaUrl: values.READ_DATABASE_URL,
    ownerUrl: values.OWNER_DATABASE_URL,
    backupUrl: values.BACKUP_DATABASE_URL,
    backups: {
      publicKeys: values.BACKUP_PUBLIC_KEYS,
      privateKeys: values.BACKUP_PRIVATE_KEYS,
      copyFolder: values.BACKUP_COPY_FOLDER,
    },
    providerKey: values.STANNP_API_KEY,
    retiredProviderKeys: values.STANNP_RETIRED_API_KEYS,
    baseUrls: values.STANNP_BASE_URLS,
    providerTimeoutMs: values.STANNP_TIMEOUT_MS,
    providerCallsAtOnce: values.STANNP_CONCURRENCY,
    providerCurrency: values.STANNP_CURRENCY?.toLowerCase() ?? null,
    allowedPaths: values.STANNP_ALLOW_PATHS,
    providerWebhookSecrets: values.STANNP_WEBHOOK_SECRET,
    identity:
      values.OAUTH_ISSUER && values.OAUTH_CLIENT_ID
        ? {
            issuer: values.OAUTH_ISSUER,
            clientId: values.OAUTH_CLIENT_ID,
            clientSecret: values.OAUTH_CLIENT_SECRET,
            scopes: values.OAUTH_SCOPES.split(/\s+/).filter(Boolean),
            allowedEmails: values.OAUTH_ALLOWED_EMAILS,
            allowedDomains: values.OAUTH_ALLOWED_DOMAINS,
          }
        : null,
    adminEmails: values.ADMIN_EMAILS,
    securityContact: values.SECURITY_CONTACT,
    peopleScopes: values.PEOPLE_SCOPES,
    freshSignInMs: values.FRESH_SIGN_IN_MINUTES * MINUTE_MS,
    tokenOwnerMs: values.TOKEN_OWNER_DAYS * DAY_MS,
    dailyCreditsPerPerson: values.DAILY_CREDITS_PER_PERSON || null,
    approval: values.APPROVAL_ABOVE_CREDITS,
    localWebhookOrigins: values.WEBHOOK_LOCAL_ORIGINS,
    stripe:
      values.STRIPE_SECRET_KEY.length > 0
        ? {
            secretKeys: values.STRIPE_SECRET_KEY as [string, ...string[]],
            webhookSecrets: values.STRIPE_WEBHOOK_SECRET,
            apiBase: values.STRIPE_API_BASE,
          }
        : null,
    reconcileIntervalMs: values.RECONCILE_INTERVAL_MS,
    stopDelayMs: values.STOP_DELAY_MS,
    retentionDays: values.RETENTION_DAYS,
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN,
    tracing: values.OTEL_EXPORTER_OTLP_ENDPOINT !== null,
    spoolFolder: values.MAILROOM_SPOOL_DIR,
    rateLimits: values.RATE_LIMITS,
    trustedProxies: values.TRUST_PROXY,
    maxConnections: values.MAX_CONNECTIONS,
  };
}

/** Why a console with these variables would not start in production, a line for each value; null when it would. */
export function findProductionProblem(
  source: Record<string, string | undefined> = process.env,
): string | null {
  try {
    parseEnvironment({ ...source, NODE_ENV: "production" });
    return null;
  } catch (error) {
    return error instanceof EnvironmentError ? error.message : "It cannot be read.";
  }
}

let environment: Environment | undefined;

/** The process's own environment, checked at first use. */
export function env(): Environment {
  environment ??= parseEnvironment(process.env);
  return environment;
}

function parseDatabaseTarget(url: string | null): DatabaseTarget {
  if (url === null) return { kind: "none" };
  if (isPostgres(url)) return { kind: "postgres", url };
  if (url.startsWith("pglite://")) {
    const folder = url.slice("pglite://".length);
    if (folder !== "") return { kind: "embedded", folder };
  }
  throw new EnvironmentError(
    "The database address must start with postgres:// or be pglite://<folder> or pglite://memory.",
  );
}
