import { readFileSync } from "node:fs";
import { listProductionProblems } from "./env-safety.server";
import { isPostgres, variables } from "./env-values.server";
import { DAY_MS, MINUTE_MS } from "./time";

/**
 * Reads and checks the environment once; no other file reads `process.env`. An absent variable means "not configured". A
 * wrong one stops the start, with one line per variable.
 */

export type DatabaseTarget =
  | { kind: "none" }
  /** `single`: the socket of an embedded database that another process has open, with one session for all. */
  | { kind: "postgres"; url: string; single?: true }
  | { kind: "embedded"; folder: string | "memory" };

/** The parsed environment. */
export type Environment = ReturnType<typeof parseEnvironment>;
export type IdentitySettings = NonNullable<Environment["identity"]>;

const DEVELOPMENT_SECRET = "mailroom-development-only";

type Variables = Record<string, string | undefined>;

/** Names of all variables that are read. */
export const VARIABLES: readonly string[] = Object.keys(variables.shape);

/** Variables that parts of the console need. */
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

/** Lists the names of set variables and of missing ones that a part of the console needs. No values. */
export function reportEnvironment(source: Variables = process.env) {
  const configured = VARIABLES.filter((name) => (source[name] || source[`${name}_FILE`])?.trim());
  const found = new Set(configured);
  if (found.has("POSTGRES_URL") || found.has("DATABASE_URL")) found.add("MAILROOM_DATABASE_URL");
  return { configured, missing: WANTED.filter((name) => !found.has(name)) };
}

/** Names each wrong variable on its own line. */
export class EnvironmentError extends Error {}

/** Reads `NAME_FILE`, a file with the value, for each variable that is not set. */
function readFiles(source: Variables): Variables {
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
 * Parses variables, each of which may be a file instead (`NAME_FILE`). Empty strings and files count as absent.
 * @throws EnvironmentError when a value is present but unusable, or unsafe in production.
 */
export function parseEnvironment(source: Variables) {
  const present = Object.fromEntries(Object.entries(readFiles(source)).filter(([, value]) => value !== ""));
  const parsed = variables.safeParse(present);
  if (!parsed.success) {
    throw new EnvironmentError(
      parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"),
    );
  }
  const values = parsed.data;
  const production = values.NODE_ENV === "production";
  const unsafe = production ? listProductionProblems(values) : [];
  if (unsafe.length > 0) throw new EnvironmentError(unsafe.join("\n"));
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
    /** Keys for secrets in the database; the first one encrypts. Empty: secrets are stored in plain text. */
    encryptionSecrets: values.ENCRYPTION_SECRET,
    database,
    /** Address of a copy that follows `database`; null: none. */
    replicaUrl: values.READ_DATABASE_URL,
    /** Address with the owner of the tables, for commands that change them; null: the database's own user. */
    ownerUrl: values.OWNER_DATABASE_URL,
    /** Address with a user that reads the tables and records a backup; null: the database's own user. */
    backupUrl: values.BACKUP_DATABASE_URL,
    backups: {
      /** Empty: backups are not encrypted. */
      publicKeys: values.BACKUP_PUBLIC_KEYS,
      privateKeys: values.BACKUP_PRIVATE_KEYS,
      /** Each backup is also copied here; null: no copy. */
      copyFolder: values.BACKUP_COPY_FOLDER,
    },
    providerKey: values.STANNP_API_KEY,
    /** Earlier keys, only for mail sent with them: it is looked up and repeated with the same key. */
    retiredProviderKeys: values.STANNP_RETIRED_API_KEYS,
    baseUrls: values.STANNP_BASE_URLS,
    providerTimeoutMs: values.STANNP_TIMEOUT_MS,
    /** Concurrent calls of this process for which people wait. */
    providerCallsAtOnce: values.STANNP_CONCURRENCY,
    /** Currency of the provider's prices, `usd`; null: not known. */
    providerCurrency: values.STANNP_CURRENCY?.toLowerCase() ?? null,
    allowedPaths: values.STANNP_ALLOW_PATHS,
    /** Any of them may sign an event. Empty: the provider's webhook receiver answers 404. */
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
    /** People with every scope, in lower case. Empty: everyone, unless `peopleScopes` is set. */
    adminEmails: values.ADMIN_EMAILS,
    /** Address for reports of weaknesses, `mailto:` or `https:`; null: none. */
    securityContact: values.SECURITY_CONTACT,
    /** Scopes of everyone else; null: all but `admin`. */
    peopleScopes: values.PEOPLE_SCOPES,
    /** Age up to which a sign-in is recent; 0: any. */
    freshSignInMs: values.FRESH_SIGN_IN_MINUTES * MINUTE_MS,
    /** Age of the owner's sign-in up to which tokens are valid; 0: any. */
    tokenOwnerMs: values.TOKEN_OWNER_DAYS * DAY_MS,
    /** One person's limit for live mail on a day (UTC); null: none. */
    dailyCreditsPerPerson: values.DAILY_CREDITS_PER_PERSON || null,
    /** Live mail that costs more needs a second person; null: none does. */
    approval: values.APPROVAL_ABOVE_CREDITS,
    /** Origins of webhook receivers that may be http and private; never in production. */
    localWebhookOrigins: values.WEBHOOK_LOCAL_ORIGINS,
    /** Null: purchases are shown as not configured. */
    stripe:
      values.STRIPE_SECRET_KEY.length > 0
        ? {
            /** The first is used; the next ones while Stripe refuses it. */
            secretKeys: values.STRIPE_SECRET_KEY as [string, ...string[]],
            /** Any of them may sign an event. Empty: payments are confirmed by polling Stripe. */
            webhookSecrets: values.STRIPE_WEBHOOK_SECRET,
            apiBase: values.STRIPE_API_BASE,
          }
        : null,
    reconcileIntervalMs: values.RECONCILE_INTERVAL_MS,
    /** Time between not being ready and refusing requests. */
    stopDelayMs: values.STOP_DELAY_MS,
    /** Age at which personal data of settled mail is removed. 0: never. */
    retentionDays: values.RETENTION_DAYS,
    logLevel: values.LOG_LEVEL,
    /** Null: `/metrics` answers 404. */
    metricsToken: values.METRICS_TOKEN,
    /** True when spans go to a collector; the SDK reads the `OTEL_*` variables. */
    tracing: values.OTEL_EXPORTER_OTLP_ENDPOINT !== null,
    /** Folder of facts that the database could not take yet. */
    spoolFolder: values.MAILROOM_SPOOL_DIR,
    /** Requests per minute of one caller; null: no limit. */
    rateLimits: values.RATE_LIMITS,
    /** Proxies in front of this process that add to `X-Forwarded-For`. */
    trustedProxies: values.TRUST_PROXY,
    maxConnections: values.MAX_CONNECTIONS,
  };
}

/** Finds the problems of these variables in production, one per line; null: none. */
export function findProductionProblem(source: Variables = process.env): string | null {
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
