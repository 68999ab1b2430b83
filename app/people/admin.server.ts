import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { noteRequest } from "~/platform/request-id.server";
import { formatAdminsOnly } from "./messages";
import type { Viewer } from "./viewer.server";

/**
 * True when a person may use what `ADMIN_EMAILS` reserves for admins; everyone may while it is empty. Only a verified
 * e-mail counts: anybody can claim an unverified one.
 */
export function isAdmin({ email, emailVerified }: Pick<Viewer, "email" | "emailVerified">): boolean {
  const { adminEmails } = env();
  if (adminEmails.length === 0) return true;
  return email !== null && emailVerified && adminEmails.includes(email.toLowerCase());
}

/** Fails with `forbidden` for anybody who is no admin. @param what only admins may do: "adjust credits" */
export function checkAdmin(viewer: Pick<Viewer, "email" | "emailVerified">, what: string): Outcome<null> {
  if (isAdmin(viewer)) return succeed(null);
  noteRequest({ refused: true });
  return fail("forbidden", formatAdminsOnly(what));
}
