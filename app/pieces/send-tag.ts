/**
 * Every live piece carries a tag with the id of its send, by which the provider's list and events name it. This file alone
 * decides whose piece it is.
 */

const PREFIX = "mailroom-";
const TAG = /^mailroom-([0-9a-z]{8,64})$/;
/** {@link TAG} in any letter case, because callers copy it. */
const COPIED = /^\s*mailroom-[0-9a-z]{8,64}\s*$/i;

/** The tag of a send. */
export function formatSendTag(sendId: string): string {
  return `${PREFIX}${sendId}`;
}

/** The send that a piece's comma-separated tags name; null for none of ours, and for several: then no one can tell whose it is. */
export function parseSendId(tags: string): string | null {
  const found = new Set(split(tags).flatMap((tag) => TAG.exec(tag.trim())?.[1] ?? []));
  const [id] = found;
  return found.size === 1 && id !== undefined ? id : null;
}

/**
 * True when a piece with these tags may be that of the send, though they do not name it alone: several sends are named, or
 * the provider cut the tag.
 */
export function mayBeOfSend(tags: string, sendId: string): boolean {
  const own = formatSendTag(sendId);
  return split(tags).some((tag) => tag.trim() !== "" && own.startsWith(tag.trim()));
}

/** A caller's comma-separated tags without any of ours, which come with a request that was copied from an answer. */
export function dropSendTags(tags: string): string {
  return split(tags)
    .filter((tag) => tag.trim() !== "" && !COPIED.test(tag))
    .join(",");
}

/** The tags of live mail: its own stands first, where a provider that cuts the list keeps it. */
export function addSendTag(tags: string, tag: string): string {
  return tags === "" ? tag : `${tag},${tags}`;
}

function split(tags: string): string[] {
  return tags.split(",");
}
