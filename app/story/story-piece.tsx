import { Moment } from "~/ui/moment";
import { PdfPages } from "~/ui/pdf/pdf-pages";
import type { Story, StoryPiece } from "./story";

/** The steps of a piece, with the current one marked. */
export function Steps({ piece }: { piece: StoryPiece }) {
  const { tone } = piece;
  return (
    <section aria-label="Progress" className="scrolls relative mb-6">
      <ol className="flex">
        {piece.steps.map(({ status, at, reached }) => (
          <li
            key={status}
            aria-current={status === piece.status ? "step" : undefined}
            className={`flex-1 border-t-3 py-1.5 pr-3 max-sm:min-w-0 max-sm:basis-0 max-sm:pr-1.5 max-sm:text-small sm:min-w-max ${reached ? STEP_LINES[tone] : "border-line text-dim"}`}
          >
            <span className={`block sm:whitespace-nowrap ${status === piece.status ? "font-semibold" : ""}`}>
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

const STEP_LINES = { warn: "border-warn", ok: "border-ok", bad: "border-live", neutral: "border-edge" };

/** What was mailed: the provider's PDF, front and back of a postcard. */
export function PiecePart({ story: { pdf, type } }: { story: Story }) {
  return (
    <section aria-labelledby="story-piece">
      <h2 id="story-piece" className="mb-3">
        Piece
      </h2>
      {"url" in pdf ? (
        <>
          <div className="needs-script mb-2 max-h-[70vh] overflow-auto bg-sunken p-2">
            <PdfPages
              src={pdf.url}
              about="The piece"
              names={type === "postcard" ? ["Front", "Back"] : []}
              landscape={type === "postcard"}
            />
          </div>
          <a href={pdf.url} target="_blank" rel="noreferrer" className="link">
            Open the PDF
          </a>
        </>
      ) : (
        <p className="text-dim">{pdf.missing}</p>
      )}
    </section>
  );
}
