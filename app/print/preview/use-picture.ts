import { useEffect, useMemo, useState } from "react";
import { decodeBase64InParts } from "~/ui/pdf/base64";
import { useHydrated } from "~/ui/use-hydrated";

/** A larger image is drawn from a smaller copy: its data URL alone would slow the page down at every change. */
const WHOLE_CHARACTERS = 400_000;
const QUALITY = 0.85;
const MOST_KEPT = 6;

let kept: { base64: string; widthPx: number; url: Promise<string> }[] = [];

/**
 * The URL of an image: the file itself when it is small or came with the server's page, else a smaller copy made in a
 * worker. Null until the copy is ready; `failed` when it cannot be made.
 */
export function usePicture(
  base64: string,
  kind: "jpeg" | "png",
  widthPx: number,
): { href: string | null; failed: boolean } {
  const hydrated = useHydrated();
  const [came] = useState(hydrated ? null : base64);
  const isWhole = base64.length <= WHOLE_CHARACTERS || came === base64;
  // The same text at each render, because comparing two of several MB is slow.
  const whole = useMemo(
    () => (isWhole ? `data:image/${kind};base64,${base64}` : null),
    [isWhole, kind, base64],
  );
  const [copy, setCopy] = useState<{ of: string; href: string | null }>();
  useEffect(() => {
    if (isWhole) return;
    let wanted = true;
    const show = (href: string | null) => wanted && setCopy({ of: base64, href });
    drawSmaller(base64, kind, widthPx).then(show, () => show(null));
    return () => {
      wanted = false;
    };
  }, [base64, kind, widthPx, isWhole]);
  const ready = copy?.of === base64 ? copy : null;
  return { href: whole ?? ready?.href ?? null, failed: whole === null && ready?.href === null };
}

/**
 * Draws a copy of an image as a data URL, at most `widthPx` wide and turned by its EXIF data. The last few are kept.
 * @throws Error when the browser cannot decode the image or cannot run the worker
 */
function drawSmaller(base64: string, kind: "jpeg" | "png", widthPx: number): Promise<string> {
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

/** `public/draw-picture.js` documents what it expects and answers. */
async function askWorker(wanted: {
  blob: Blob;
  widthPx: number;
  type: string;
  quality: number;
}): Promise<string | null> {
  const worker = new Worker("/draw-picture.js");
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<string | null>) => resolve(data);
      worker.onerror = () => reject(new Error("The image worker could not be loaded"));
      worker.postMessage(wanted);
    });
  } finally {
    worker.terminate();
  }
}
