import { type ReactNode, useEffect, useRef } from "react";
import type { DrawnPage } from "./pdf-file";

interface PdfViewerProps {
  /** "Front", "Page 2 of 3" */
  title: string;
  page: DrawnPage;
  drawn: number;
  action: ReactNode;
  /** Receives the number of another page, or null to close. */
  onPage: (number: number | null) => void;
}

/** Dialog with a page of a PDF at full size. Loaded lazily. */
export function PdfViewer({ title, page, drawn, action, onPage }: PdfViewerProps) {
  const { number, url, widthPt, heightPt } = page;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    // In development React runs an effect twice.
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  const turn = (to: number) => {
    if (to >= 1 && to <= drawn) onPage(to);
  };
  const turnButton = (label: string, to: number) => (
    <button type="button" className="button" disabled={to < 1 || to > drawn} onClick={() => turn(to)}>
      {label}
    </button>
  );
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={() => onPage(null)}
      onClick={({ target }) => {
        // A click beside the dialog closes it, and so does the submit button, whose answer is behind it.
        const sends = target instanceof Element && target.closest("[type=submit]") !== null;
        if (target === dialog.current || sends) dialog.current?.close();
      }}
      onKeyDown={({ key }) => {
        if (key === "ArrowLeft") turn(number - 1);
        if (key === "ArrowRight") turn(number + 1);
      }}
      className="palette my-auto w-[min(1240px,calc(100vw-24px))] max-w-none"
    >
      <div className="flex max-h-[94vh] flex-col">
        <div className="flex items-center gap-2 border-line border-b px-4 py-2">
          <h2 className="mr-auto tabular-nums">{title}</h2>
          {drawn > 1 ? turnButton("Previous page", number - 1) : null}
          {drawn > 1 ? turnButton("Next page", number + 1) : null}
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keys too */}
        <div tabIndex={0} className="min-h-0 overflow-auto bg-sunken">
          <img
            src={url}
            width={Math.round(widthPt)}
            height={Math.round(heightPt)}
            alt={title}
            className="h-auto w-full"
          />
        </div>
        {action ? (
          <div className="border-line border-t px-4 py-2.5 text-right empty:hidden">{action}</div>
        ) : null}
      </div>
    </dialog>
  );
}
