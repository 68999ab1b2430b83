import { env } from "~/platform/env.server";
import { DAY_MS } from "~/platform/time";

const VALID_DAYS = 90;

/** Where weaknesses are reported (RFC 9116). @throws Response 404 when no contact is configured */
export function loader(): Response {
  const { securityContact, appOrigin } = env();
  if (securityContact === null) throw new Response("No contact is configured.\n", { status: 404 });
  const lines = [
    `Contact: ${securityContact}`,
    `Expires: ${new Date(Date.now() + VALID_DAYS * DAY_MS).toISOString()}`,
    `Canonical: ${appOrigin}/.well-known/security.txt`,
  ];
  return new Response(`${lines.join("\n")}\n`, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
