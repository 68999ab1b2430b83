/** What is said of deleting a recipient. */

export const NO_RECIPIENT_ID = "Cannot delete recipient: No recipient ID found";
export const RECIPIENT_DELETED = "Recipient deleted successfully";
export const NO_RECIPIENT = "This user has no recipient with this ID. Nothing was deleted.";
export const SEVERAL_RECIPIENTS =
  "There are several recipients with this ID. Nothing was deleted; use the recipient's own id.";
export const NO_KEY_TO_DELETE =
  "The mail API key is not configured: STANNP_API_KEY must be set in the server's environment. Nothing was deleted.";
export const RECIPIENT_OF_UNKNOWN_BASE =
  "This recipient is in an account that STANNP_BASE_URLS does not name any more. Nothing was deleted.";
export const RECIPIENT_GONE_BEFORE = "The provider did not have this recipient any more.";
export const STILL_LISTED =
  "The database is not available right now, so the list may still show it. Delete it again later.";

const FAILED = "Failed to delete recipient";

export function formatDeletionRefused(reason: string): string {
  return `${FAILED}: ${reason.replace(/\.?$/, ".")} Nothing was deleted.`;
}

export function formatDeletionLimited(waitSeconds: number): string {
  return `${FAILED}: the provider's rate limit is used up; try again in ${waitSeconds} s.`;
}

export function formatDeletionUnreachable(reason: string): string {
  return `${FAILED}: the provider could not be reached (${reason}). Nothing was deleted.`;
}

export function formatDeletionUnknown(happened: string): string {
  return `${FAILED}: ${happened} It may have been deleted; delete it again to be sure.`;
}
