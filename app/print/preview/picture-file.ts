import { decodeBase64InParts } from "~/ui/pdf/decode-base64";

/** A larger image is drawn from a smaller copy: its data URL alone would slow the page down at every change. */
const WHOLE_CHARACTERS = 400_000;
const QUALITY = 0.85;
const MOST_KEPT = 6;

let kept: { base64: string; widthPx: number; url: Promise<string> }[] = [];

/** True when an image is small enough to be in the page as it is. */
export function isSmall(base64: string): boolean {
  return base64.length <= WHOLE_CHARACTERS;
}

/** An image as a data URL. */
export function toPictureUrl(base64: string, kind: "jpeg" | "png"): string {
  return `data:image/${kind};base64,${base64}`;
}

/**
 * The data URL of a copy of an image, at most `widthPx` wide and turned as its EXIF data says. The last few are kept.
 * @throws Error when the browser cannot decode the image or cannot run the worker
 */
export function drawSmaller(base64: string, kind: "jpeg" | "png", widthPx: number): Promise<string> {
  const known = kept.find((entry) => entry.base64 === base64 && entry.widthPx === widthPx);
  if (known) return known.url;
  const entry = { base64, widthPx, url: draw(base64, kind, widthPx) };
  kept = [...kept.slice(1 - MOST_KEPT), entry];
  entry.url.catch(() => {
    kept = kept.filter((other) => other !== entry);
  });
  return entry.url;
}

async function draw(base64: string, kind: "jpeg" | "png", widthPx: number): Promise<string> {
  const blob = new Blob(await decodeBase64InParts(base64), { type: `image/${kind}` });
  // WebP keeps transparency; a browser that cannot write it writes a PNG.
  const type = kind === "png" ? "image/webp" : "image/jpeg";
  const url = await askWorker({ blob, widthPx, type, quality: QUALITY });
  if (url === null) throw new Error("The image cannot be decoded");
  return url;
}

let worker: Worker | null = null;
let asked = 0;

/** `public/draw-picture.js` documents what it expects and answers. */
function askWorker(wanted: {
  blob: Blob;
  widthPx: number;
  type: string;
  quality: number;
}): Promise<string | null> {
  worker ??= new Worker("/draw-picture.js");
  const to = worker;
  const id = ++asked;
  return new Promise((resolve, reject) => {
    const end = new AbortController();
    to.addEventListener(
      "message",
      ({ data }: MessageEvent<{ id: number; url: string | null }>) => {
        if (data.id !== id) return;
        end.abort();
        resolve(data.url);
      },
      end,
    );
    to.addEventListener(
      "error",
      () => {
        end.abort();
        worker = null;
        reject(new Error("The image worker could not be loaded"));
      },
      end,
    );
    to.postMessage({ id, ...wanted });
  });
}
