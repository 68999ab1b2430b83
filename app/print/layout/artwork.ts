import { formatFileName } from "../messages";
import type { PreviewFile } from "./preview-content";

export type ArtworkKind = "jpeg" | "png" | "pdf";

/** The start of each kind's base64. */
const STARTS: readonly (readonly [string, ArtworkKind])[] = [
  ["/9j/", "jpeg"],
  ["iVBORw0KGgo", "png"],
  ["JVBERi", "pdf"],
];

/** Finds a file's kind by its first bytes; null when the preview cannot draw it. */
export function findArtworkKind(base64: string): ArtworkKind | null {
  return STARTS.find(([start]) => base64.startsWith(start))?.[1] ?? null;
}

/** True when the field holds a URL, from which the provider downloads the file. */
export function isRemote(base64: string): boolean {
  return /^https?:\/\//i.test(base64);
}

/** The lines shown in place of a file that cannot be drawn. */
export function formatUndrawable({ base64, name }: PreviewFile): string[] {
  return isRemote(base64)
    ? ["The provider downloads this from", formatFileName(base64)]
    : [`${formatFileName(name)} is not a JPG, PNG or PDF`];
}
