import { useState } from "react";
import { FileView } from "../file-view";

/** A file in a text, or at its address. */
interface Inside {
  type: string;
  address: string;
}

const PDF = "application/pdf";
const PICTURES: [start: string, type: string][] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
];
/** Shorter texts are not files. */
const FILE_CHARS = 60;

/** Shows the picture or PDF in a value on demand. */
export function ValuePreview({ value }: { value: string }) {
  const inside = findFile(value);
  const [shown, setShown] = useState(false);
  if (!inside) return null;
  if (!shown) {
    return (
      <p>
        <button type="button" className="button" onClick={() => setShown(true)}>
          {inside.type === PDF ? "Show PDF" : "Show picture"}
        </button>
      </p>
    );
  }
  const subject = inside.type === PDF ? "The PDF in this value" : "The picture in this value";
  return <FileView type={inside.type} src={inside.address} subject={subject} />;
}

function findFile(value: string): Inside | null {
  const data = /^data:(image\/(?:png|jpeg|gif|webp)|application\/pdf);base64,/.exec(value);
  if (data?.[1]) return { type: data[1], address: value };
  if (/^https:\/\/[^\s"'<>]+\.(?:png|jpe?g|gif|webp)(?:\?[^\s"'<>]*)?$/i.test(value)) {
    return { type: "image/*", address: value };
  }
  if (value.length < FILE_CHARS) return null;
  if (value.startsWith("JVBERi0")) return { type: PDF, address: `data:${PDF};base64,${value}` };
  const type = PICTURES.find(([start]) => value.startsWith(start))?.[1];
  return type && /^[\w+/=\s]+$/.test(value.slice(0, 1_000))
    ? { type, address: `data:${type};base64,${value}` }
    : null;
}
