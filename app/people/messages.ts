export const SIGNED_OUT = "You are logged out. Nothing was changed. Log in, then try again.";

export const API_SIGNED_OUT = "No valid token. Nothing was changed. Send `Authorization: Bearer <token>`.";

export const TOKEN_REFUSED =
  "This token is unknown, expired or revoked, or its owner has not signed in for long. Nothing was changed. Create a new one on the Profile page.";

export const NO_TOKENS_HERE =
  "This address takes no tokens. Nothing was changed. Tokens work at the addresses of the API reference.";

export const SEND_SIGNED_OUT =
  "You are logged out. Nothing was sent and nothing was charged. Log in, then send again.";

export const NO_SUCH_USER_MESSAGE = "There is no user with this ID. Nothing was changed.";

/** @param act "adjust credits" */
export function formatAdminsOnly(act: string): string {
  return `Only admins can ${act}. Nothing was changed. Ask one of them.`;
}
