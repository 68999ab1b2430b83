import { isConfidential, isThisMachine, type PeopleScopes, type VariableValues } from "./env-values.server";

/** Minimum sizes of secrets in production. The other side chooses those of webhooks; Stripe's have 38 bytes. */
const SECRET_BYTES = [
  ["SESSION_SECRET", 32],
  ["ENCRYPTION_SECRET", 32],
  ["METRICS_TOKEN", 32],
  ["STANNP_WEBHOOK_SECRET", 16],
  ["STRIPE_WEBHOOK_SECRET", 16],
] as const;
/** Secrets in `.env.example`, of this and earlier versions. */
const PUBLISHED = /change-me|emulator/i;

/** Lists unsafe values in production, one line each. */
export function listProductionProblems(values: VariableValues): string[] {
  const problems: string[] = [];
  if (values.SESSION_SECRET.length === 0) {
    problems.push(
      "SESSION_SECRET: required in production; it signs the session cookie. Set it to the output of `openssl rand -hex 32`.",
    );
  }
  for (const [name, bytes] of SECRET_BYTES) {
    const secrets = [values[name] ?? []].flat();
    if (secrets.some((secret) => PUBLISHED.test(secret))) {
      problems.push(`${name}: is the published example. Set it to a secret of your own.`);
    } else if (secrets.some((secret) => Buffer.byteLength(secret) < bytes)) {
      problems.push(`${name}: must have at least ${bytes} bytes in production, in each part between commas.`);
    }
  }
  if (values.APP_ORIGIN && !isConfidential(new URL(values.APP_ORIGIN))) {
    problems.push("APP_ORIGIN: must be https in production (plain http only for this machine).");
  }
  if (values.OAUTH_ISSUER !== null && values.APP_ORIGIN && !isThisMachine(new URL(values.APP_ORIGIN))) {
    if (values.OAUTH_ALLOWED_EMAILS.length + values.OAUTH_ALLOWED_DOMAINS.length === 0) {
      problems.push(
        "OAUTH_ALLOWED_EMAILS: name who may sign in, here or in OAUTH_ALLOWED_DOMAINS; * lets everyone in.",
      );
    }
    if (values.ADMIN_EMAILS.length === 0 && values.PEOPLE_SCOPES === null) {
      problems.push("ADMIN_EMAILS: name the admins, or set PEOPLE_SCOPES; * makes everyone an admin.");
    }
  }
  if (values.WEBHOOK_LOCAL_ORIGINS.length > 0) {
    problems.push(
      "WEBHOOK_LOCAL_ORIGINS: not in production; webhooks are sent over https to public addresses only.",
    );
  }
  return problems;
}

/** Lists the rights of everyone, a sentence each; empty when sign-in and administration are limited. */
export function listOpenings({
  identity,
  adminEmails,
  peopleScopes,
}: {
  identity: { allowedEmails: string[]; allowedDomains: string[] } | null;
  adminEmails: string[];
  peopleScopes: PeopleScopes[] | null;
}): string[] {
  const allowed = [...(identity?.allowedEmails ?? []), ...(identity?.allowedDomains ?? [])];
  const isOpen = identity !== null && (allowed.length === 0 || allowed.includes("*"));
  const everyone = peopleScopes?.filter(({ who }) => who === "*").flatMap(({ scopes }) => scopes);
  const areAdmins =
    adminEmails.includes("*") || (everyone ? everyone.includes("admin") : adminEmails.length === 0);
  return [
    ...(isOpen
      ? ["Everyone whom the identity provider lets in may sign in (OAUTH_ALLOWED_EMAILS, _DOMAINS)."]
      : []),
    ...(areAdmins ? ["Everyone is an admin (ADMIN_EMAILS, PEOPLE_SCOPES)."] : []),
  ];
}
