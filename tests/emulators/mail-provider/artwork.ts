import type { FieldValue } from "./http/fields";
import { Refusal } from "./http/reply";

const DOWNLOAD_TIMEOUT_MS = 5000;
const LOOPBACK_HOSTS = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Accepts a file field in two of its documented encodings: address and bare base64. A `data:` address is refused,
 * because no documentation says that the provider reads one. Returns the bytes for the sample; null without a
 * value and for a file on another host.
 * @param label the name in the refusal, e.g. `front image`
 * @throws Refusal 200, as observed at the provider; only the text for a failed download is a recorded one
 */
export async function acceptArtwork(
  value: FieldValue | undefined,
  label: string,
  kinds: readonly ("jpg" | "png" | "pdf" | "doc")[],
): Promise<Buffer | null> {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "string" && /^https?:\/\//i.test(value)) {
    const file = await download(value);
    if (file) return file === "elsewhere" ? null : file;
    throw new Refusal(200, `Failed to download the ${label} from the URL provided`);
  }
  const bytes = decodeBase64(value);
  const kind = bytes && findKind(bytes);
  if (!kind || !kinds.includes(kind)) {
    throw new Refusal(200, `The ${label} must be a URL or a ${kinds.join(", ").toUpperCase()} file`);
  }
  return bytes;
}

/**
 * Downloads only addresses on this machine. No other network is used: other hosts count as reachable, those under
 * the reserved `.invalid` as unreachable.
 */
async function download(address: string): Promise<Buffer | "elsewhere" | null> {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (!LOOPBACK_HOSTS.includes(url.hostname)) {
    return /(^|\.)invalid$/.test(url.hostname) ? null : "elsewhere";
  }
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
    const bytes = Buffer.from(await response.arrayBuffer());
    return response.ok ? bytes : null;
  } catch {
    return null;
  }
}

function decodeBase64(value: FieldValue): Buffer | null {
  if (typeof value !== "string") return null;
  const text = value.replace(/\s+/g, "");
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, "base64") : null;
}

function findKind(bytes: Buffer) {
  const start = bytes.subarray(0, 8).toString("latin1");
  if (start.startsWith("%PDF-")) return "pdf";
  if (start.startsWith("\xff\xd8\xff")) return "jpg";
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  // The signatures of the old binary container and of the zip that a .docx is.
  if (start.startsWith("\xd0\xcf\x11\xe0") || start.startsWith("PK\x03\x04")) return "doc";
  return null;
}
