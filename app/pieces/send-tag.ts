/**
 * The tag of a live piece, with the id of its send, by which the provider's list and events name it. Only this file
 * decides which send a piece belongs to.
 */

const PREFIX = "mailroom-";
const TAG = /^mailroom-([0-9a-z]{8,64})$/;
/** {@link TAG} in any case, because callers copy it. */
const COPIED = /^\s*mailroom-[0-9a-z]{8,64}\s*$/i;

export function formatSendTag(sendId: string): string {
  return `${PREFIX}${sendId}`;
}

/** Parses the send that a piece's comma-separated tags name; null when they name none or several. */
export function parseSendId(tags: string): string | null {
  const found = new Set(split(tags).flatMap((tag) => TAG.exec(tag.trim())?.[1] ?? []));
  const [id] = found;
  return found.size === 1 && id !== undefined ? id : null;
}

/**
 * True when a piece with these tags may be that of the send, although they do not name it alone: they name several
 * sends, or the provider cut the tag.
 */
export function mayBeOfSend(tags: string, sendId: string): boolean {
  const own = formatSendTag(sendId);
  return split(tags).some((tag) => tag.trim() !== "" && own.startsWith(tag.trim()));
}

/** Removes our tags from a caller's comma-separated tags; they come with requests copied from an answer. */
export function dropSendTags(tags: string): string {
  return split(tags)
    .filter((tag) => tag.trim() !== "" && !COPIED.test(tag))
    .join(",");
}

/** Puts our tag first, where a provider that cuts the list keeps it. */
export function addSendTag(tags: string, tag: string): string {
  return tags === "" ? tag : `${tag},${tags}`;
}

function split(tags: string): string[] {
  return tags.split(",");
}
