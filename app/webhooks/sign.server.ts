import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";

const SECRET_BYTES = 32;

/** A new secret, as libraries of the Standard Webhooks scheme take it. */
export function makeSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** The headers of a request: one signature for each secret that is valid now, so that a receiver may know either. */
export function signMessage(
  id: string,
  body: string,
  secrets: readonly string[],
  now: Date,
): { "webhook-id": string; "webhook-timestamp": string; "webhook-signature": string } {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(" "),
  };
}
