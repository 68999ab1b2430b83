/** The secret that a console process gets whose sessions are made here. */
export const SESSION_SECRET = "test-session-secret";

// Read once, at the first use of anything of the console's.
Object.assign(process.env, { SESSION_SECRET, APP_ORIGIN: "http://localhost" });
process.env.LOG_LEVEL ??= "warn";

/**
 * The `Cookie` of somebody who is signed in as `auth-<subject>` at a console on plain http, made by the console's own
 * code. Their name is their subject.
 */
export async function makeSessionCookie(subject: string): Promise<string> {
  const { startSession } = await import("~/platform/http/session.server");
  const line = await startSession({
    subject,
    name: subject,
    email: `${subject}@example.com`,
    emailVerified: true,
    picture: null,
  });
  return line.split(";")[0] ?? "";
}
