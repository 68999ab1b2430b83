const TAG = /^mailroom-([0-9a-z]{8,64})$/;

/** The send that a piece's tags name, as the provider has them: comma-separated; null when it is none of ours. */
export function readSendId(tags: string): string | null {
  const found = tags.split(",").map((tag) => TAG.exec(tag.trim())?.[1]);
  return found.findLast((id) => id !== undefined) ?? null;
}
