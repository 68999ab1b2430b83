import { type ReactNode, useEffect, useRef, useState } from "react";
import { makeLazyModule } from "../lazy-module";
import { readBase64 } from "./base64";
import { type DrawnPage, openPdf, type PdfContent, type PdfFile } from "./pdf-file";

/** Further pages are counted, not drawn. */
const MOST_DRAWN_PAGES = 10;
const WIDTH_PX = 1_240;

type State =
  | { step: "loading" }
  | { step: "drawn"; pages: DrawnPage[]; total: number }
  | { step: "failed"; why: string };

const GRID = "grid grid-cols-[repeat(auto-fit,minmax(13rem,1fr))] gap-3";
const WIDE_GRID = "grid grid-cols-[repeat(auto-fit,minmax(min(100%,28rem),1fr))] gap-3";

interface PdfPagesProps {
  /** Address, also a `data:` URL. */
  src: string;
  /** Start of each alternative text: "The provider's PDF". */
  subject: string;
  /** Titles of the first pages. */
  names?: string[];
  /** True when pages are wider than high. If set, their space is reserved while they load. */
  landscape?: boolean;
  /** Button below a page at full size. */
  action?: ReactNode;
  /** Gets the content of the first two pages once all are drawn. */
  onRead?: (content: PdfContent) => void;
}

const PdfViewer = makeLazyModule(() => import("./pdf-viewer")).makePart("PdfViewer", { optional: true });

export function PdfPages({ src, subject, names = [], landscape, action, onRead }: PdfPagesProps) {
  const state = useDrawnPages(src, onRead);
  const grid = landscape ? WIDE_GRID : GRID;
  const [enlarged, enlarge] = useState<number | null>(null);
  if (state.step === "loading") {
    return (
      <>
        <p className="p-2 text-dim">Loading the PDF…</p>
        {landscape === undefined ? null : (
          <ol aria-hidden className={grid}>
            {(names.length === 0 ? ["page"] : names).map((name) => (
              <EmptyPage key={name} landscape={landscape} />
            ))}
          </ol>
        )}
      </>
    );
  }
  if (state.step === "failed") return <p className="p-2">{state.why}</p>;
  const { pages, total } = state;
  const isMoreToDraw = pages.length < Math.min(total, MOST_DRAWN_PAGES);
  const keepsPlace = landscape !== undefined && pages.length < names.length;
  const nameOf = ({ number }: DrawnPage) => names[number - 1] ?? `Page ${number} of ${total}`;
  const chosen = pages.find(({ number }) => number === enlarged);
  return (
    <ol className={grid}>
      {pages.map((page) => (
        <li key={page.number}>
          {total > 1 ? <p className="mb-1 text-small text-dim tabular-nums">{nameOf(page)}</p> : null}
          <button
            type="button"
            title="Show at full size"
            className="block w-full cursor-zoom-in"
            onClick={() => enlarge(page.number)}
          >
            <img
              src={page.url}
              width={Math.round(page.widthPt)}
              height={Math.round(page.heightPt)}
              alt={`${subject}, page ${page.number} of ${total}`}
              className="h-auto w-full border border-line"
            />
          </button>
        </li>
      ))}
      {chosen ? (
        <PdfViewer
          title={nameOf(chosen)}
          page={chosen}
          drawn={pages.length}
          action={action}
          onPage={enlarge}
        />
      ) : null}
      {isMoreToDraw && keepsPlace ? <EmptyPage landscape={landscape} /> : null}
      {isMoreToDraw && !keepsPlace ? <li className="text-dim">Loading more pages…</li> : null}
      {total > MOST_DRAWN_PAGES ? <li className="text-dim">{formatFurtherPages(total)}</li> : null}
    </ol>
  );
}

function formatFurtherPages(total: number): string {
  const first = MOST_DRAWN_PAGES + 1;
  return total === first ? `Page ${first} is in the PDF.` : `Pages ${first} to ${total} are in the PDF.`;
}

/** Reserves the space of a page that is not drawn yet. */
function EmptyPage({ landscape }: { landscape: boolean }) {
  return <li className={`border border-line ${landscape ? "aspect-[3/2]" : "aspect-[17/22]"}`} />;
}

function useDrawnPages(src: string, onRead: PdfPagesProps["onRead"]): State {
  const [state, setState] = useState<State>({ step: "loading" });
  const reader = useRef(onRead);
  reader.current = onRead;
  useEffect(() => {
    const controller = new AbortController();
    const show = (next: State) => {
      if (!controller.signal.aborted) setState(next);
    };
    show({ step: "loading" });
    draw(src, controller.signal, show)
      .catch((error: Error) => show({ step: "failed", why: error.message }))
      .then((file) => (reader.current && file ? file.inspect(2).then(reader.current) : undefined))
      // A file that cannot be read is not measured.
      .catch(() => {});
    return () => controller.abort();
  }, [src]);
  return state;
}

/** @throws Error whose message is for people */
async function draw(src: string, signal: AbortSignal, show: (state: State) => void): Promise<PdfFile> {
  const file = await openPdf(await fetchBase64(src, signal), () => {});
  const pages: DrawnPage[] = [];
  for (let number = 1; number <= Math.min(file.pages, MOST_DRAWN_PAGES) && !signal.aborted; number++) {
    pages.push({ number, ...(await file.drawPage(number, WIDTH_PX)) });
    show({ step: "drawn", pages: [...pages], total: file.pages });
  }
  return file;
}

async function fetchBase64(src: string, signal: AbortSignal): Promise<string> {
  // The content security policy does not allow fetching it.
  if (src.startsWith("data:")) return src.slice(src.indexOf(",") + 1);
  let reply: Response;
  try {
    // A redirect leads to the login page.
    reply = await fetch(src, { signal, redirect: "manual" });
  } catch {
    throw new Error("The PDF could not be loaded. Check the connection, or open it by its link.");
  }
  if (reply.type === "opaqueredirect") throw new Error("You are logged out. Log in to see the PDF.");
  if (!reply.ok) throw new Error((await reply.text()).trim() || "The PDF could not be loaded.");
  return readBase64(await reply.blob());
}
