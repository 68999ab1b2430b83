/** Multiple of four, so that each part decodes to whole bytes. */
const DECODE_CHARACTERS = 1 << 18;

/** Decodes base64 in parts, so that the page stays responsive. @throws DOMException for invalid base64 */
export async function decodeBase64InParts(
  base64: string,
  onProgress: (share: number) => void = () => {},
): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < base64.length; at += DECODE_CHARACTERS) {
    parts.push(decodePart(base64.slice(at, at + DECODE_CHARACTERS)));
    onProgress(Math.min(1, (at + DECODE_CHARACTERS) / base64.length));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return parts;
}

function decodePart(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Reads a file as a `data:` URL. `onProgress` receives the share, 0 to 1. */
export function readDataUrl(file: Blob, onProgress: (share: number) => void = () => {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** Reads a file as base64. `onProgress` receives the share, 0 to 1. */
export async function readBase64(file: Blob, onProgress?: (share: number) => void): Promise<string> {
  const url = await readDataUrl(file, onProgress);
  return url.slice(url.indexOf(",") + 1);
}
