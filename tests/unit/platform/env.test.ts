import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import dotenv from "dotenv";
import { describe, expect, test } from "vitest";
import { EnvironmentError, listOpenings, parseEnvironment, reportEnvironment } from "~/platform/env.server";
import { SCOPES } from "~/platform/http/token-scopes";

test("set and missing variables are reported by name, never by value", () => {
  const { configured, missing } = reportEnvironment({
    STANNP_API_KEY: "secret-key",
    DATABASE_URL: "postgres://me:password@host/db",
    OAUTH_ISSUER: " ",
    HOME: "/root",
  });
  expect(configured).toEqual(["DATABASE_URL", "STANNP_API_KEY"]);
  expect(missing).toContain("OAUTH_ISSUER");
  expect(missing).not.toContain("MAILROOM_DATABASE_URL");
});

const LONG = "0123456789abcdef0123456789abcdef";

describe("In production", () => {
  const base = { NODE_ENV: "production", SESSION_SECRET: LONG };
  const IDENTITY = { OAUTH_ISSUER: "https://id.example.com", OAUTH_CLIENT_ID: "mailroom" };
  const PUBLIC = { ...IDENTITY, APP_ORIGIN: "https://mail.example.com" };
  const EMAILS = { ADMIN_EMAILS: "Ana@Example.com", OAUTH_ALLOWED_DOMAINS: "Example.co.uk, bücher.example" };

  test.each([
    [base],
    [{ ...base, SESSION_SECRET: `${LONG}, ${LONG}x`, METRICS_TOKEN: LONG, ...EMAILS }],
    [
      {
        ...base,
        STRIPE_WEBHOOK_SECRET: "whsec_4fJ8cQ2mXz7Lr1Tn6Vb9Kd3Wg5Hs0PyA",
        STANNP_WEBHOOK_SECRET: LONG,
      },
    ],
    [{ ...base, APP_ORIGIN: "http://127.0.0.1:3000" }],
    [{ ...base, APP_ORIGIN: "https://mail.example.com" }],
    // A trial on this machine, without an allow-list.
    [{ ...base, ...IDENTITY, APP_ORIGIN: "http://localhost:3000" }],
    [{ ...base, ...PUBLIC, OAUTH_ALLOWED_EMAILS: "*", ADMIN_EMAILS: "*" }],
    [{ ...base, ...PUBLIC, OAUTH_ALLOWED_DOMAINS: "example.com", PEOPLE_SCOPES: "*=read" }],
  ])("starts with %j", (variables) => {
    expect(parseEnvironment(variables).production).toBe(true);
  });

  test.each([
    ["SESSION_SECRET", "a~"],
    ["SESSION_SECRET", "change-me-in-production,change-me-in-production"],
    ["SESSION_SECRET", LONG.slice(1)],
    ["SESSION_SECRET", `${LONG},old`],
    ["METRICS_TOKEN", "short"],
    ["STANNP_WEBHOOK_SECRET", "short"],
    ["STRIPE_WEBHOOK_SECRET", `whsec_${LONG},whsec_`],
    ["APP_ORIGIN", "http://mail.example.com"],
  ])("does not start with %s=%s, and does not print the value", (name, value) => {
    const start = () => parseEnvironment({ ...base, [name]: value });
    expect(start).toThrow(new RegExp(`^${name}: [^\n]+$`));
    expect(start).not.toThrow(value);
    expect(() => parseEnvironment({ [name]: value })).not.toThrow();
  });
});

test("in production, a public console names who may sign in and who is an admin", () => {
  const variables = {
    ...{ NODE_ENV: "production", SESSION_SECRET: LONG, APP_ORIGIN: "https://mail.example.com" },
    ...{ OAUTH_ISSUER: "https://id.example.com", OAUTH_CLIENT_ID: "mailroom" },
  };
  expect(() => parseEnvironment(variables)).toThrow(/^OAUTH_ALLOWED_EMAILS: .*\nADMIN_EMAILS: .*$/);
});

test.each([
  [{}, 1],
  [{ OAUTH_ISSUER: "https://id.example.com", OAUTH_CLIENT_ID: "m" }, 2],
  [{ OAUTH_ISSUER: "https://id.example.com", OAUTH_CLIENT_ID: "m", OAUTH_ALLOWED_EMAILS: "*, a@b.c" }, 2],
  [{ OAUTH_ISSUER: "https://id.example.com", OAUTH_CLIENT_ID: "m", OAUTH_ALLOWED_EMAILS: "a@b.c" }, 1],
  [{ ADMIN_EMAILS: "*, a@b.c" }, 1],
  [{ ADMIN_EMAILS: "a@b.c" }, 0],
  [{ PEOPLE_SCOPES: "*=read" }, 0],
  [{ PEOPLE_SCOPES: "*=*" }, 1],
])("%j leaves %d things open to everyone", (variables, count) => {
  expect(listOpenings(parseEnvironment(variables))).toHaveLength(count);
});

test("production refuses every secret that .env.example publishes", () => {
  const example = dotenv.parse(readFileSync(".env.example"));
  for (const name of ["SESSION_SECRET", "METRICS_TOKEN", "STANNP_WEBHOOK_SECRET", "STRIPE_WEBHOOK_SECRET"]) {
    const variables = { NODE_ENV: "production", SESSION_SECRET: LONG, [name]: example[name] };
    expect(() => parseEnvironment(variables), name).toThrow(new RegExp(`^${name}: `));
  }
});

test.each([
  ["ana@example.com", "who=scopes"],
  ["ana@example.com=", "who=scopes"],
  ["ana@example.com=sends", "who=scopes"],
  ["ana=read", "who=scopes"],
  ["ana@example.com=read=credits", "who=scopes"],
])("PEOPLE_SCOPES=%s is refused", (PEOPLE_SCOPES, form) => {
  expect(() => parseEnvironment({ PEOPLE_SCOPES })).toThrow(form);
});

test("PEOPLE_SCOPES grants all of several pairs, each with read access", () => {
  const { peopleScopes } = parseEnvironment({
    PEOPLE_SCOPES: "Ana@Example.com=send:live  credits, group:Ops=*",
  });
  expect(peopleScopes).toEqual([
    { who: "ana@example.com", scopes: ["read", "send:live", "credits"] },
    { who: "group:Ops", scopes: SCOPES },
  ]);
  expect(parseEnvironment({ PEOPLE_SCOPES: " " }).peopleScopes).toBeNull();
});

describe("the environment", () => {
  test("with nothing set has the documented defaults, and absent parts as states", () => {
    expect(parseEnvironment({})).toMatchObject({
      ...{ production: false, port: 3000, appOrigin: "http://localhost:3000", database: { kind: "none" } },
      ...{ providerKey: null, providerTimeoutMs: 60_000, providerWebhookSecrets: [], identity: null },
      ...{ stripe: null, reconcileIntervalMs: 15_000, logLevel: "info" },
    });
    expect(parseEnvironment({}).baseUrls).toEqual([
      { label: "US", url: "https://api-us1.stannp.com/v1" },
      { label: "Global", url: "https://api-eu1.stannp.com/v1" },
      { label: "Dash", url: "https://dash.stannp.com/api/v1" },
    ]);
  });

  test("counts an empty value as absent, as .env files have it", () => {
    const absent = { providerKey: null, port: 3000, database: { kind: "none" } };
    expect(parseEnvironment({ STANNP_API_KEY: "", PORT: "", DATABASE_URL: "" })).toMatchObject(absent);
  });

  test("reads a value from a file if NAME_FILE names one", () => {
    const folder = mkdtempSync(join(tmpdir(), "mailroom-env-"));
    const [key, empty] = [join(folder, "key"), join(folder, "empty")];
    writeFileSync(key, "from-a-file\n");
    writeFileSync(empty, "");
    expect(parseEnvironment({ STANNP_API_KEY_FILE: key }).providerKey).toBe("from-a-file");
    expect(parseEnvironment({ STANNP_API_KEY_FILE: empty }).providerKey).toBe(null);
    expect(parseEnvironment({ STANNP_API_KEY_FILE: empty, STANNP_API_KEY: "own" }).providerKey).toBe("own");
    expect(reportEnvironment({ STANNP_API_KEY_FILE: key }).configured).toEqual(["STANNP_API_KEY"]);
    const both = { STANNP_API_KEY_FILE: key, STANNP_API_KEY: "own" };
    expect(() => parseEnvironment(both)).toThrow("STANNP_API_KEY is set too");
    const absent = { STANNP_API_KEY_FILE: join(folder, "none") };
    expect(() => parseEnvironment(absent)).toThrow(/^STANNP_API_KEY_FILE: .* cannot be read \(ENOENT\)/);
    rmSync(folder, { recursive: true });
  });

  test("takes the first database address that is set", () => {
    const second = { POSTGRES_URL: "postgres://b/b", DATABASE_URL: "postgresql://c/c" };
    for (const [variables, database] of [
      [
        { MAILROOM_DATABASE_URL: "pglite://data/x", ...second },
        { kind: "embedded", folder: "data/x" },
      ],
      [second, { kind: "postgres", url: "postgres://b/b" }],
      [{ DATABASE_URL: "pglite://memory" }, { kind: "embedded", folder: "memory" }],
    ] as const)
      expect(parseEnvironment(variables).database).toEqual(database);
  });

  test("reads sign-in, payments and lists", () => {
    const read = parseEnvironment({
      OAUTH_ISSUER: "https://id.example.com",
      OAUTH_CLIENT_ID: "mailroom",
      OAUTH_ALLOWED_EMAILS: "Ana@Example.com, ",
      STRIPE_SECRET_KEY: "sk",
      STRIPE_API_BASE: "http://localhost:4012/",
      SESSION_SECRET: "new,old",
      STANNP_BASE_URLS: "Here=http://127.0.0.1:4010/v1/,Dash=https://dash.example.com/api/v1",
      APP_ORIGIN: "https://mail.example.com/",
    });
    expect(read.identity).toMatchObject({ clientSecret: null, allowedEmails: ["ana@example.com"] });
    expect(read.stripe).toEqual({ secretKeys: ["sk"], webhookSecrets: [], apiBase: "http://localhost:4012" });
    expect(read.sessionSecrets).toEqual(["new", "old"]);
    expect(read.baseUrls[0]).toEqual({ label: "Here", url: "http://127.0.0.1:4010/v1" });
    expect(read.appOrigin).toBe("https://mail.example.com");
  });

  test.each([
    [{ PORT: "seventy" }, /^PORT: /],
    [{ NODE_ENV: "production" }, /^SESSION_SECRET: required in production/],
    [{ STANNP_BASE_URLS: "US=http://api.example.com/v1" }, /^STANNP_BASE_URLS: must be https/],
    [{ STANNP_BASE_URLS: "https://api.example.com" }, /^STANNP_BASE_URLS: must be Label=URL pairs/],
    [
      { STANNP_BASE_URLS: "US=https://user:pw@api.example.com" },
      /^STANNP_BASE_URLS: must be a plain address/,
    ],
    [{ APP_ORIGIN: "mail.example.com" }, /^APP_ORIGIN: must be an http or https address/],
    [{ DATABASE_URL: "mysql://x" }, /must start with postgres:\/\//],
    [{ DATABASE_URL: "pglite://" }, /must start with postgres:\/\//],
    [{ DATABASE_URL: "postgres://a/a", READ_DATABASE_URL: "b" }, /READ_DATABASE_URL: must start with/],
    [
      { DATABASE_URL: "pglite://memory", READ_DATABASE_URL: "postgres://b/b" },
      /READ_DATABASE_URL: is for a PostgreSQL replica/,
    ],
    [{ RECONCILE_INTERVAL_MS: "-1" }, /^RECONCILE_INTERVAL_MS: /],
    [{ APPROVAL_ABOVE_CREDITS: "many" }, /^APPROVAL_ABOVE_CREDITS: must be a number/],
    [{ WEBHOOK_LOCAL_ORIGINS: "127.0.0.1" }, /^WEBHOOK_LOCAL_ORIGINS: must be http/],
    [
      { NODE_ENV: "production", SESSION_SECRET: LONG, WEBHOOK_LOCAL_ORIGINS: "http://127.0.0.1:4013" },
      /^WEBHOOK_LOCAL_ORIGINS: not in production/,
    ],
    [{ LOG_LEVEL: "loud" }, /^LOG_LEVEL: /],
    [{ OAUTH_ISSUER: "id.example.com" }, /^OAUTH_ISSUER: must be/],
    [{ OAUTH_ISSUER: "http://id.example.com" }, /^OAUTH_ISSUER: must be/],
    [{ ADMIN_EMAILS: "ana@example.com;ben@example.com" }, /^ADMIN_EMAILS: must be/],
    [{ ADMIN_EMAILS: "ana@example.com,ben" }, /^ADMIN_EMAILS: must be/],
    [{ OAUTH_ALLOWED_EMAILS: "example.com" }, /^OAUTH_ALLOWED_EMAILS: must be/],
    [{ OAUTH_ALLOWED_DOMAINS: "@example.com" }, /^OAUTH_ALLOWED_DOMAINS: must be/],
    [{ OAUTH_ALLOWED_DOMAINS: "example.com example.org" }, /^OAUTH_ALLOWED_DOMAINS: must be/],
  ])("refuses %j and names the variable", (variables, message) => {
    expect(() => parseEnvironment(variables)).toThrow(EnvironmentError);
    expect(() => parseEnvironment(variables)).toThrow(message);
  });
});
