import { readFileSync } from "node:fs";
import {
  BACKUPS,
  DATABASE,
  IDENTITY,
  isConfidential,
  isPostgres,
  isThisMachine,
  OWN,
  STRIPE,
  type Table,
  type ValuesOf,
} from "./env-variables.server";

/**
 * Reads and checks the environment once; no other file reads `process.env`, except for the service name of traces. An absent
 * variable means "not configured". A wrong one stops the start, with one line per variable.
 */

export type Environment = ReturnType<typeof parseEnvironment>;
export type IdentitySettings = NonNullable<Environment["identity"]>;

export type DatabaseTarget =
  | { kind: "none" }
  /** `single`: the socket of an embedded database that another process has open, with one session for all. */
  | { kind: "postgres"; url: string; single?: true }
  | { kind: "embedded"; folder: string | "memory" };

const DEVELOPMENT_SECRET = "mailroom-development-only";

type Variables = Record<string, string | undefined>;

export const VARIABLES: readonly string[] = [DATABASE, OWN, BACKUPS, IDENTITY, STRIPE].flatMap((table) =>
  Object.values(table).map(([name]) => name),
);

/** Names each wrong variable on its own line. */
export class EnvironmentError extends Error {}

/**
 * Parses variables, each of which may be a file instead (`NAME_FILE`). Empty strings and files count as absent.
 * @throws EnvironmentError when a value is present but unusable, or unsafe in production.
 */
export function parseEnvironment(variables: Variables) {
  const source = readFiles(variables);
  const problems: string[] = [];
  const own = parseTable(OWN, source, problems);
  const addresses = parseTable(DATABASE, source, problems);
  const backups = parseTable(BACKUPS, source, problems);
  const identity = parseTable(IDENTITY, source, problems);
  const stripe = parseTable(STRIPE, source, problems);
  assertNone(problems);
  if (own.production) assertNone(listProductionProblems({ ...own, ...identity, ...stripe }));
  if (backups.copyFolder !== null && backups.publicKeys.length === 0) {
    throw new EnvironmentError(
      "BACKUP_COPY_FOLDER: copies leave encrypted only. Set BACKUP_PUBLIC_KEYS (npm run backup -- --new-key).",
    );
  }
  const database = parseDatabaseTarget(addresses.mailroom ?? addresses.postgres ?? addresses.other);
  if (own.replicaUrl !== null && database.kind !== "postgres") {
    throw new EnvironmentError(
      "READ_DATABASE_URL: is for a PostgreSQL replica; set MAILROOM_DATABASE_URL to its primary, or remove this.",
    );
  }
  const { issuer, clientId } = identity;
  const { secretKeys } = stripe;
  return {
    ...own,
    appOrigin: own.appOrigin ?? `http://localhost:${own.port}`,
    sessionSecrets: own.sessionSecrets.length > 0 ? own.sessionSecrets : [DEVELOPMENT_SECRET],
    database,
    backups,
    identity: issuer && clientId ? { ...identity, issuer, clientId } : null,
    /** Null: purchases are shown as not configured. */
    stripe: secretKeys.length > 0 ? { ...stripe, secretKeys: secretKeys as [string, ...string[]] } : null,
  };
}

let environment: Environment | undefined;

/** Returns the process's own environment, checked at first use. */
export function env(): Environment {
  environment ??= parseEnvironment(process.env);
  return environment;
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

/** Parses the variables of a table and adds a line to `problems` for each wrong one. */
function parseTable<T extends Table>(table: T, source: Variables, problems: string[]): ValuesOf<T> {
  const values = Object.entries(table).map(([key, [name, form]]) => {
    const parsed = form.safeParse(source[name] || undefined);
    for (const { message } of parsed.error?.issues ?? []) problems.push(`${name}: ${message}`);
    return [key, parsed.data];
  });
  return Object.fromEntries(values);
}

function assertNone(problems: string[]): void {
  if (problems.length > 0) throw new EnvironmentError(problems.join("\n"));
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

/** Secrets in `.env.example`, of this and earlier versions. */
const PUBLISHED = /change-me|emulator/i;

/** Lists unsafe values in production, one line each. */
function listProductionProblems(values: ValuesOf<typeof OWN & typeof IDENTITY & typeof STRIPE>): string[] {
  const { appOrigin, sessionSecrets, allowedEmails, allowedDomains } = values;
  const problems: string[] = [];
  if (sessionSecrets.length === 0) {
    problems.push(
      "SESSION_SECRET: required in production; it signs the session cookie. Set it to the output of `openssl rand -hex 32`.",
    );
  }
  // The other side chooses the secrets of webhooks; Stripe's have 38 bytes.
  const secrets: [name: string, secrets: string[], minBytes: number][] = [
    ["SESSION_SECRET", sessionSecrets, 32],
    ["ENCRYPTION_SECRET", values.encryptionSecrets, 32],
    ["METRICS_TOKEN", values.metricsToken === null ? [] : [values.metricsToken], 32],
    ["STANNP_WEBHOOK_SECRET", values.providerWebhookSecrets, 16],
    ["STRIPE_WEBHOOK_SECRET", values.webhookSecrets, 16],
  ];
  for (const [name, parts, minBytes] of secrets) {
    if (parts.some((secret) => PUBLISHED.test(secret))) {
      problems.push(`${name}: is the published example. Set it to a secret of your own.`);
    } else if (parts.some((secret) => Buffer.byteLength(secret) < minBytes)) {
      problems.push(
        `${name}: must have at least ${minBytes} bytes in production, in each part between commas.`,
      );
    }
  }
  if (appOrigin && !isConfidential(new URL(appOrigin))) {
    problems.push("APP_ORIGIN: must be https in production (plain http only for this machine).");
  }
  if (values.issuer !== null && appOrigin && !isThisMachine(new URL(appOrigin))) {
    if (allowedEmails.length + allowedDomains.length === 0) {
      problems.push(
        "OAUTH_ALLOWED_EMAILS: name who may sign in, here or in OAUTH_ALLOWED_DOMAINS; * lets everyone in.",
      );
    }
    if (values.adminEmails.length === 0 && values.peopleScopes === null) {
      problems.push("ADMIN_EMAILS: name the admins, or set PEOPLE_SCOPES; * makes everyone an admin.");
    }
  }
  if (values.localWebhookOrigins.length > 0) {
    problems.push(
      "WEBHOOK_LOCAL_ORIGINS: not in production; webhooks are sent over https to public addresses only.",
    );
  }
  return problems;
}

/** Lists the rights of everyone, a sentence each; empty when sign-in and administration are limited. */
export function listOpenings({ identity, adminEmails, peopleScopes }: Environment): string[] {
  const allowed = [...(identity?.allowedEmails ?? []), ...(identity?.allowedDomains ?? [])];
  const openings: string[] = [];
  if (identity !== null && (allowed.length === 0 || allowed.includes("*"))) {
    openings.push(
      "Everyone whom the identity provider lets in may sign in (OAUTH_ALLOWED_EMAILS, _DOMAINS).",
    );
  }
  const everyone = peopleScopes?.filter(({ who }) => who === "*").flatMap(({ scopes }) => scopes);
  if (adminEmails.includes("*") || (everyone ? everyone.includes("admin") : adminEmails.length === 0)) {
    openings.push("Everyone is an admin (ADMIN_EMAILS, PEOPLE_SCOPES).");
  }
  return openings;
}
