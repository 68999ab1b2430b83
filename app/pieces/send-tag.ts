/** Every live piece carries a tag with the id of its send, by which the provider's list and events name it. */

const TAG = /^mailroom-([0-9a-z]{8,64})$/;

export function formatSendTag(sendId: string): string {
  return `mailroom-${sendId}`;
}

/** The send that a piece's comma-separated tags name; null for none of ours. */
export function parseSendId(tags: string): string | null {
  const found = tags.split(",").map((tag) => TAG.exec(tag.trim())?.[1]);
  return found.findLast((id) => id !== undefined) ?? null;
}
