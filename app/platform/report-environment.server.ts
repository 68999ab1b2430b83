import { VARIABLES } from "./env.server";

/** What each part of the console needs; of the addresses of a database, the first. */
const WANTED = [
  "APP_ORIGIN",
  "SESSION_SECRET",
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

/** Names of our variables that are set, and of those that a part of the console goes without. Values are not told. */
export function reportEnvironment(source: Record<string, string | undefined> = process.env): {
  configured: string[];
  missing: string[];
} {
  const configured = VARIABLES.filter((name) => source[name]?.trim());
  const found = new Set(configured);
  if (found.has("POSTGRES_URL") || found.has("DATABASE_URL")) found.add("MAILROOM_DATABASE_URL");
  return { configured, missing: WANTED.filter((name) => !found.has(name)) };
}
