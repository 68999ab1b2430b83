import { BLEED_MM, findLetterPage, findPostcard, parsePaddingMm } from "../layout/geometry";
import { parseTextStyle } from "../layout/layout";
import { formatMeasuredOn } from "../layout/measured";
import type { PreviewState } from "../layout/preview-content";
import { LAYERS, type Layer, VIEW_FIELDS } from "./preview-view";
import { LAYER_LINES } from "./svg-parts";

// Approximate parts.

const POSTCARD_NOTES = [
  "Barcode area: as the US Postal Service defines it, 4 3/4 x 5/8 in.",
  "Address area and postage mark: usual US sizes. The provider does not publish its own.",
  "Message and signature: the provider does not publish their position or the line spacing.",
  "Padding: drawn in millimetres, and as 5 mm when none is chosen. The provider names no unit.",
  "The provider breaks the message into lines, so its lines may end elsewhere. The provider's PDF of a test shows them.",
];
const LETTER_NOTES = [
  "Address window: as in usual window envelopes of the country. The provider does not publish its own.",
  "Text of page 1 starts below the window, because the address is printed there.",
  "QR code: printed at the bottom left of each sheet. The provider does not publish its size.",
  "Pages and lines are those of the PDF that is printed. Letters may look different where this device lacks the font.",
];

/** `figure` is the size of the layer, or another fact about it. */
type Entry = { layer: Layer; name: string; figure: string };

function listPostcardEntries(state: PreviewState): Entry[] {
  const label = findPostcard(state.size, "back")?.label ?? "";
  const { font, sizePt } = parseTextStyle(state);
  const padding = parsePaddingMm(state.padding);
  const { measured } = state;
  const background = state.clearzone ? "" : ", no white background";
  const signature = state.signature ? "position approximate" : "none attached";
  const placed = measured?.message ? formatMeasuredOn(measured.at) : "position approximate";
  return [
    { layer: "bleed", name: "Bleed", figure: `${BLEED_MM} mm, cut off` },
    { layer: "trim", name: "Trim", figure: label },
    { layer: "safe", name: "Safe area", figure: "3 mm inside the trim" },
    { layer: "padding", name: "Padding", figure: padding === 0 ? "none" : `${padding} mm, approximate` },
    { layer: "clear", name: "Clear zones", figure: `approximate${background}` },
    { layer: "message", name: "Message", figure: `${font || "Arial"} ${sizePt} pt, ${placed}` },
    { layer: "signature", name: "Signature", figure: signature },
    { layer: "address", name: "Address", figure: "as printed" },
  ];
}

function listLetterEntries(state: PreviewState): Entry[] {
  const text: Entry = { layer: "message", name: "Text", figure: "12 pt Arial, 1 in margins" };
  return [
    { layer: "trim", name: "Trim", figure: findLetterPage(state.home).label },
    { layer: "safe", name: "Safe area", figure: "5 mm inside, approximate" },
    { layer: "clear", name: "Clear zones", figure: "address and QR code, approximate" },
    ...(state.file || state.template !== "" ? [] : [text]),
    { layer: "address", name: "Address", figure: "as printed" },
  ];
}

interface LegendProps {
  state: PreviewState;
  layers: readonly Layer[];
  formId: string;
  onChange: (layers: Layer[]) => void;
}

/** The layers with samples of their lines. The checkboxes are fields of the Builder's form, so that they work without JavaScript. */
export function Legend({ state, layers, formId, onChange }: LegendProps) {
  const entries = state.kind === "letter" ? listLetterEntries(state) : listPostcardEntries(state);
  const elsewhere = layers.filter((layer) => !entries.some((entry) => entry.layer === layer));
  return (
    <details className="px-4">
      <summary className="text-[12px] text-dim">Layers</summary>
      <fieldset className="mt-1">
        <legend className="sr-only">Layers</legend>
        <input type="hidden" form={formId} name={VIEW_FIELDS.shown} value="1" />
        {elsewhere.map((layer) => (
          <input key={layer} type="hidden" form={formId} name={VIEW_FIELDS.layer} value={layer} />
        ))}
        <div className="grid grid-cols-[repeat(auto-fit,minmax(15rem,1fr))] gap-x-4 gap-y-1.5 text-small">
          {entries.map(({ layer, name, figure }) => (
            <label key={layer} className="flex min-w-0 items-start gap-2">
              <input
                type="checkbox"
                form={formId}
                name={VIEW_FIELDS.layer}
                value={layer}
                checked={layers.includes(layer)}
                className="mt-px size-4 shrink-0 accent-accent"
                onChange={({ target }) =>
                  onChange(
                    LAYERS.filter((known) => (known === layer ? target.checked : layers.includes(known))),
                  )
                }
              />
              <Swatch layer={layer} />
              <span className="min-w-0">
                {name} <span className="text-dim">{figure}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </details>
  );
}

function Swatch({ layer }: { layer: Layer }) {
  const { stroke, dash } = LAYER_LINES[layer];
  return (
    <svg width="22" height="14" viewBox="0 0 22 14" className="mt-0.5 shrink-0" aria-hidden="true">
      <rect x="0.5" y="0.5" width="21" height="13" rx="2" fill="#fffefb" />
      {layer === "clear" ? (
        <path d="M4 11l7-8M9 11l7-8M14 11l5-6" stroke={stroke} strokeOpacity="0.6" />
      ) : (
        <line x1="3" x2="19" y1="7" y2="7" stroke={stroke} strokeWidth="1.6" strokeDasharray={dash} />
      )}
    </svg>
  );
}

/** Lists the approximate parts of the drawing with their reasons. */
export function ApproximationNotes({ kind }: { kind: PreviewState["kind"] }) {
  return (
    <details className="px-4 text-small text-dim">
      <summary>What is approximate</summary>
      <ul className="mt-1 grid list-disc gap-1 pl-4">
        {(kind === "letter" ? LETTER_NOTES : POSTCARD_NOTES).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}
