import type { SessionOwner } from "~/platform/http/session.server";
import { SESSION_SECRET } from "./console-process";

// The console's modules read these once, at their first import.
Object.assign(process.env, { SESSION_SECRET, APP_ORIGIN: "http://localhost" });
process.env.LOG_LEVEL ??= "warn";

/**
 * The `Cookie` of a person who is signed in as `auth-<subject>` at a console on plain http, made by the console's
 * own code. Their name is their subject unless `owner` says otherwise.
 */
export async function makeSessionCookie(subject: string, owner: Partial<SessionOwner> = {}): Promise<string> {
  const { startSession } = await import("~/platform/http/session.server");
  const line = await startSession({
    subject,
    name: subject,
    email: `${subject}@example.com`,
    emailVerified: true,
    picture: null,
    groups: [],
    signedInAt: Date.now(),
    ...owner,
  });
  return line.split(";")[0] ?? "";
}
