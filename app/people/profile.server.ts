import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import type { Flash } from "~/platform/http/flash.server";
import { UNKNOWN_FORM } from "~/platform/http/page-form.server";
import { replyFailure } from "~/platform/http/replies.server";
import { revokeToken } from "~/tokens/check-token.server";
import { createToken } from "~/tokens/create-token.server";
import { loadTokens } from "~/tokens/load-tokens.server";
import { EMPTY_DRAFT, type TokenDraft, type TokensView } from "~/tokens/token-view";
import { isAdmin } from "./admin.server";
import { ensureViewerStored } from "./stored-user.server";
import type { Viewer } from "./viewer.server";

/** On the Profile page: the rights of the viewer other than sending. */
const ADMIN_RIGHTS = {
  admin:
    "Admin: you can adjust credits, decide open pieces, erase personal data, change webhooks, revoke anybody's tokens and read the audit log.",
  noAdmin:
    "No admin: adjusting credits, deciding open pieces, erasing personal data, changing webhooks, revoking other people's tokens and reading the audit log is up to admins.",
  everyone:
    "Everyone can adjust credits, decide open pieces, erase personal data, change webhooks, revoke tokens and read the audit log.",
} as const;

export interface ProfileView {
  displayName: string;
  email: string | null;
  picture: string | null;
  subject: string;
  /** What admins alone may do, and whether this is one. */
  role: string;
  isAdmin: boolean;
  tokens: TokensView | null;
  /** Why tokens cannot be shown. */
  problem: string | null;
}

/** What the Profile page shows. @param revokingId the token that is asked about */
export async function loadProfile(
  viewer: Viewer,
  revokingId: string | null,
  now: Date,
): Promise<ProfileView> {
  const { displayName, email, picture, subject } = viewer;
  const admin = isAdmin(viewer);
  const tokens = await loadTokens(viewer.id, { isAdmin: admin, revokingId }, now);
  const { adminEmails, peopleScopes } = env();
  const role =
    peopleScopes !== null
      ? `Your scopes: ${viewer.scopes.join(", ") || "none"}.`
      : adminEmails.length === 0
        ? ADMIN_RIGHTS.everyone
        : admin
          ? ADMIN_RIGHTS.admin
          : ADMIN_RIGHTS.noAdmin;
  const shown = { displayName, email, picture, subject, role, isAdmin: admin };
  if (tokens.ok) return { ...shown, tokens: tokens.value, problem: null };
  const { code, message } = tokens.failure;
  return { ...shown, tokens: null, problem: code === "not_configured" ? "Tokens need a database." : message };
}

/** A token to show this once; or the form as it was filled in; or what to say on the page. */
export type ProfilePost =
  | { created: { name: string; text: string } }
  | { draft: TokenDraft }
  | { flash: Flash };

/** Handles a form of the Profile page. @throws Response 400 for a form that is not of this page */
export async function handleProfilePost(form: FormData, viewer: Viewer): Promise<ProfilePost> {
  switch (form.get("intent")) {
    case "create_token": {
      const stored = await withDatabase((db) => ensureViewerStored(db, viewer));
      if (!stored.ok) return { draft: { ...EMPTY_DRAFT, problems: { form: stored.failure.message } } };
      const made = await createToken(form, viewer);
      return "draft" in made ? made : { created: made };
    }
    case "revoke_token": {
      const ownerId = isAdmin(viewer) ? null : viewer.id;
      const revoked = await revokeToken(String(form.get("token") ?? ""), { ownerId, by: viewer.id });
      return {
        flash: revoked.ok
          ? { tone: "ok", message: revoked.value }
          : { tone: "bad", message: revoked.failure.message },
      };
    }
    default:
      throw replyFailure(UNKNOWN_FORM);
  }
}
