import { useState } from "react";
import { openPdf, type PageImage } from "../pdf/pdf-file";

/** A file that stands in a text: its address for a picture, or its base64 for a PDF. */
type Inside = { kind: "picture"; address: string } | { kind: "pdf"; base64: string };

const PICTURES: [start: string, type: string][] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
];
/** Shorter texts only begin like a file. */
const FILE_CHARS = 60;

/** The picture or PDF in a value, where it has one; drawn when it is asked for. */
export function ValuePreview({ value }: { value: string }) {
  const inside = findFile(value);
  const [shown, setShown] = useState<PageImage | "picture" | string | null>(null);
  if (!inside) return null;
  const show = async () => {
    if (inside.kind === "picture") return setShown("picture");
    setShown("Loading the PDF…");
    try {
      const file = await openPdf(inside.base64, () => {});
      setShown(await file.drawPage(1, 1_000));
    } catch (error) {
      setShown(error instanceof Error ? error.message : "The PDF cannot be shown.");
    }
  };
  if (shown === null) {
    return (
      <p>
        <button type="button" className="button" onClick={() => void show()}>
          {inside.kind === "pdf" ? "Show PDF" : "Show picture"}
        </button>
      </p>
    );
  }
  if (typeof shown === "object") {
    return (
      <img
        src={shown.url}
        alt="The first page of the PDF in this value"
        className="max-h-96 border border-line"
      />
    );
  }
  if (shown === "picture" && inside.kind === "picture") {
    return (
      <img src={inside.address} alt="In this value" className="max-h-96 max-w-full border border-line" />
    );
  }
  return <p role="status">{shown}</p>;
}

function findFile(value: string): Inside | null {
  const data = /^data:(image\/(?:png|jpeg|gif|webp)|application\/pdf);base64,/.exec(value);
  if (data) {
    return data[1] === "application/pdf"
      ? { kind: "pdf", base64: value.slice(data[0].length) }
      : { kind: "picture", address: value };
  }
  if (/^https:\/\/[^\s"'<>]+\.(?:png|jpe?g|gif|webp)(?:\?[^\s"'<>]*)?$/i.test(value)) {
    return { kind: "picture", address: value };
  }
  if (value.length < FILE_CHARS) return null;
  if (value.startsWith("JVBERi0")) return { kind: "pdf", base64: value };
  const type = PICTURES.find(([start]) => value.startsWith(start))?.[1];
  return type && /^[\w+/=\s]+$/.test(value.slice(0, 1_000))
    ? { kind: "picture", address: `data:${type};base64,${value}` }
    : null;
}
