import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { formatCount } from "~/platform/format-integer";
import { getText, UNKNOWN_FORM } from "~/platform/http/body.server";
import { type Flash, toFlash } from "~/platform/http/flash.server";
import { replyFailure } from "~/platform/http/replies.server";
import { fail, type Outcome, succeed, type ValueOf } from "~/platform/outcome";
import { revokeToken, revokeTokensOf } from "~/tokens/check-token.server";
import { createToken, loadTokens, parseTokenForm } from "~/tokens/manage-tokens.server";
import type { TokenDraft } from "~/tokens/token-view";
import { formatMoment } from "~/ui/moment";
import { revokeSessionsOf } from "./revoked-sessions.server";
import { ensureViewerStored } from "./stored-user.server";
import { checkAdmin, checkFresh, isAdmin, type Viewer } from "./viewer.server";

/** The viewer's rights other than sending. */
const ADMIN_RIGHTS = {
  admin:
    "Admin: you can adjust credits, decide open pieces, erase personal data, change webhooks, revoke anyone's tokens and read the audit log.",
  noAdmin:
    "Not an admin: only admins can adjust credits, decide open pieces, erase personal data, change webhooks, revoke other people's tokens and read the audit log.",
  everyone:
    "Everyone can adjust credits, decide open pieces, erase personal data, change webhooks, revoke tokens and read the audit log.",
} as const;

const SHOWN_PEOPLE = 200;

export type ProfileView = Awaited<ReturnType<typeof loadProfile>>;

/** Loads the Profile page. @param query `revoke`: a token, `end`: a person to confirm */
export async function loadProfile(viewer: Viewer, query: URLSearchParams, now: Date) {
  const { displayName, email, picture, subject } = viewer;
  const admin = isAdmin(viewer);
  const tokens = await loadTokens(viewer.id, { isAdmin: admin, revokingId: query.get("revoke") }, now);
  const listed = admin ? await loadPeople(now) : null;
  const people = listed?.ok ? listed.value : null;
  const ending = [viewer, ...(people ?? [])].find(({ id }) => id === query.get("end"));
  const { adminEmails, peopleScopes } = env();
  const role =
    peopleScopes !== null
      ? `Your scopes: ${viewer.scopes.join(", ") || "none"}.`
      : adminEmails.length === 0
        ? ADMIN_RIGHTS.everyone
        : admin
          ? ADMIN_RIGHTS.admin
          : ADMIN_RIGHTS.noAdmin;
  const view = {
    ...{ id: viewer.id, displayName, email, picture, subject, role, isAdmin: admin, people },
    ending: ending ? { id: ending.id, displayName: ending.displayName } : null,
  };
  if (tokens.ok) return { ...view, tokens: tokens.value, problem: null };
  const { code, message } = tokens.failure;
  return { ...view, tokens: null, problem: code === "not_configured" ? "Tokens need a database." : message };
}

/** Result of a form: signed out, a new token to show once, the form with problems, or a message. */
export type ProfilePost =
  | { loggedOut: true }
  | { created: { name: string; text: string } }
  | { draft: TokenDraft }
  | { flash: Flash };

/** Handles a form of the Profile page. @throws Response 400 for a form that is not of this page */
export async function handleProfilePost(form: FormData, viewer: Viewer): Promise<ProfilePost> {
  switch (form.get("intent")) {
    case "create_token": {
      const fresh = checkFresh(viewer);
      const stored = fresh.ok ? await withDatabase((db) => ensureViewerStored(db, viewer)) : fresh;
      const made = stored.ok
        ? await createToken(form, viewer)
        : { draft: { ...parseTokenForm(form), problems: { form: stored.failure.message } } };
      return "draft" in made ? made : { created: made };
    }
    case "revoke_token": {
      const ownerId = isAdmin(viewer) ? null : viewer.id;
      return {
        flash: toFlash(await revokeToken(getText(form, "token"), { ownerId, by: viewer.id })),
      };
    }
    case "end_person": {
      const personId = getText(form, "user_id");
      const isOwn = personId === viewer.id;
      const allowed = isOwn ? succeed(null) : checkAdmin(viewer, "end other people's sessions");
      const ended = allowed.ok ? await endPerson(personId, viewer.id) : allowed;
      return isOwn && ended.ok ? { loggedOut: true } : { flash: toFlash(ended) };
    }
    default:
      throw replyFailure(UNKNOWN_FORM);
  }
}

export type PersonRow = ValueOf<typeof loadPeople>[number];

function loadPeople(now: Date) {
  return withDatabase(async (db) => {
    const people = await db.signIn.findMany({ orderBy: { signedInAt: "desc" }, take: SHOWN_PEOPLE });
    return people.map(({ personId: id, displayName, email, signedInAt }) => {
      return { id, displayName, email, signedInAt: formatMoment(signedInAt, now) };
    });
  });
}

/**
 * Ends all sessions and tokens of a person: at once in this process, within 5 s in others. A person on the allow-lists
 * may sign in again.
 */
async function endPerson(personId: string, by: string): Promise<Outcome<string>> {
  if (env().database.kind === "none")
    return fail("not_configured", "Sessions can be ended only with a database.");
  await revokeSessionsOf(personId);
  const tokens = await revokeTokensOf(personId, by);
  if (!tokens.ok)
    return fail(
      tokens.failure.code,
      `${tokens.failure.message} The sessions have ended, the tokens not yet.`,
    );
  return succeed(`All sessions and ${formatCount(tokens.value, "token")} have ended.`);
}
