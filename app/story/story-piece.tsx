import { Moment } from "~/ui/moment";
import { PdfPages } from "~/ui/pdf/pdf-pages";
import type { StoryPiece } from "./story";

/** The steps of a piece, with the current one marked. */
export function Steps({ piece }: { piece: StoryPiece }) {
  const { tone } = piece;
  return (
    <section aria-label="Progress" className="relative mb-6 overflow-x-auto">
      <ol className="flex">
        {piece.steps.map(({ status, at, reached }) => (
          <li
            key={status}
            aria-current={status === piece.status ? "step" : undefined}
            className={`min-w-max flex-1 border-t-3 py-1.5 pr-3 ${reached ? STEP_LINES[tone] : "border-line text-dim"}`}
          >
            <span className={`block whitespace-nowrap ${status === piece.status ? "font-semibold" : ""}`}>
              {status.replaceAll("_", " ")}
              <span className="sr-only">{reached ? "" : ", not yet"}</span>
            </span>
            <span className="block text-small text-dim">{at ? <Moment at={at} /> : null}</span>
          </li>
        ))}
      </ol>
      <p className="text-dim">{piece.meaning}</p>
    </section>
  );
}

const STEP_LINES = { pending: "border-warn", ok: "border-ok", bad: "border-live", neutral: "border-edge" };

/** The provider's PDF of the piece. */
export function ProviderPdf({ src }: { src: string }) {
  return (
    <section aria-labelledby="provider-pdf" className="mb-6">
      <h2 id="provider-pdf" className="mb-2">
        Provider's PDF
      </h2>
      <div className="needs-script mb-1 max-h-[50vh] max-w-[760px] overflow-auto bg-sunken p-2">
        <PdfPages src={src} about="The piece" />
      </div>
      <a href={src} target="_blank" rel="noreferrer" className="link">
        Open the PDF
      </a>
    </section>
  );
}
