import { useState } from "react";
import { PdfPages } from "./pdf/pdf-pages";

/** True for files that {@link FileView} shows. @param isFile false for a text */
export function canDraw({ type, isFile }: { type: string; isFile: boolean }): boolean {
  if (!isFile) return type === "image/svg+xml";
  return /^(?:application\/pdf|image\/(?:png|jpeg|gif|webp|avif|bmp))$/.test(type);
}

/** A picture or PDF. @param subject "The PDF in this value" */
export function FileView({ type, src, subject }: { type: string; src: string; subject: string }) {
  const [failed, setFailed] = useState(false);
  if (failed) return <p role="status">The picture cannot be shown.</p>;
  if (type !== "application/pdf") {
    return (
      <img
        src={src}
        alt={subject}
        onError={() => setFailed(true)}
        className="max-h-96 max-w-full border border-line"
      />
    );
  }
  return (
    <div className="needs-script max-h-[70vh] overflow-auto bg-sunken p-2">
      <PdfPages src={src} subject={subject} />
    </div>
  );
}
