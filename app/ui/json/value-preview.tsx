import { useState } from "react";
import { PdfPages } from "../pdf/pdf-pages";

/** A file that stands in a text, or that it is the address of. */
interface Inside {
  kind: "picture" | "pdf";
  address: string;
}

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
  const [shown, setShown] = useState(false);
  const [failed, setFailed] = useState(false);
  if (!inside) return null;
  if (!shown) {
    return (
      <p>
        <button type="button" className="button" onClick={() => setShown(true)}>
          {inside.kind === "pdf" ? "Show PDF" : "Show picture"}
        </button>
      </p>
    );
  }
  if (failed) return <p role="status">The picture cannot be shown.</p>;
  if (inside.kind === "picture") {
    return (
      <img
        src={inside.address}
        alt="In this value"
        onError={() => setFailed(true)}
        className="max-h-96 max-w-full border border-line"
      />
    );
  }
  return (
    <div className="max-h-[70vh] overflow-auto bg-sunken p-2">
      <PdfPages src={inside.address} about="The PDF in this value" />
    </div>
  );
}

function findFile(value: string): Inside | null {
  const data = /^data:(image\/(?:png|jpeg|gif|webp)|application\/pdf);base64,/.exec(value);
  if (data) return { kind: data[1] === "application/pdf" ? "pdf" : "picture", address: value };
  if (/^https:\/\/[^\s"'<>]+\.(?:png|jpe?g|gif|webp)(?:\?[^\s"'<>]*)?$/i.test(value)) {
    return { kind: "picture", address: value };
  }
  if (value.length < FILE_CHARS) return null;
  if (value.startsWith("JVBERi0")) return { kind: "pdf", address: `data:application/pdf;base64,${value}` };
  const type = PICTURES.find(([start]) => value.startsWith(start))?.[1];
  return type && /^[\w+/=\s]+$/.test(value.slice(0, 1_000))
    ? { kind: "picture", address: `data:${type};base64,${value}` }
    : null;
}
