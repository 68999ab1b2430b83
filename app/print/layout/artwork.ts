import type { PreviewFile } from "./preview-content";

export type ArtworkKind = "jpeg" | "png" | "pdf";

/** First characters of the base64 of each kind's first bytes. */
const STARTS: readonly (readonly [string, ArtworkKind])[] = [
  ["/9j/", "jpeg"],
  ["iVBORw0KGgo", "png"],
  ["JVBERi", "pdf"],
];

/** What a file is by its first bytes, or null when it cannot be drawn. */
export function findArtworkKind(base64: string): ArtworkKind | null {
  return STARTS.find(([start]) => base64.startsWith(start))?.[1] ?? null;
}

/** Whether a file is not here but at an address, from which the provider fetches it (provider-api.md §3.3). */
export function isRemote(base64: string): boolean {
  return /^https?:\/\//i.test(base64);
}

/** What to say, line by line, where a file cannot be drawn: why, and which it is. */
export function describeUndrawn({ base64, name }: PreviewFile): string[] {
  return isRemote(base64) ? ["Fetched by the provider from", base64] : [`${name} is no JPG, PNG or PDF`];
}

/** What stands for a PDF until, or where, it cannot be drawn: `PDF, 2 pages`. */
export function describePdf(pages: PreviewFile["pages"]): string {
  if (pages === undefined) return "PDF";
  return `PDF, ${pages} ${pages === 1 ? "page" : "pages"}`;
}
