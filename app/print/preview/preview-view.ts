import { type Box, POINTS_PER_INCH, PRINT_DPI, type Side } from "../layout/geometry";

/** The parts of a preview that can be switched on and off, in the order of the legend. */
export const LAYERS = [
  "bleed",
  "trim",
  "safe",
  "clear",
  "padding",
  "signature",
  "message",
  "address",
] as const;
export type Layer = (typeof LAYERS)[number];

/** `fit` fills the available width, `print` is as large as on paper, `pixels` shows 300 dpi artwork pixel by pixel. */
const ZOOMS = ["fit", "print", "pixels"] as const;
export type Zoom = (typeof ZOOMS)[number];

export type PreviewView = { side: Side; zoom: Zoom; layers: readonly Layer[] };

export interface DrawingOptions {
  layers: readonly Layer[];
  zoom: Zoom;
  marks: readonly Box[];
  test: boolean;
}

const PREVIEW_PX = 1_240;

/** Finds the width in pixels at which a PDF page of `widthPt` is drawn. */
export function findDrawnPx(zoom: Zoom, widthPt: number): number {
  return zoom === "pixels" ? Math.round((widthPt / POINTS_PER_INCH) * PRINT_DPI) : PREVIEW_PX;
}

export const FIRST_VIEW: PreviewView = { side: "back", zoom: "fit", layers: LAYERS };

/** Names of the preview's form fields. `shown` tells "no layer ticked" from "no preview in this form". */
export const VIEW_FIELDS = {
  side: "preview.side",
  zoom: "preview.zoom",
  layer: "preview.layer",
  shown: "preview.shown",
} as const;

/** Parses the view of a posted form; missing and unknown values become those of {@link FIRST_VIEW}. */
export function parsePreviewView(form: FormData): PreviewView {
  // Shows the side that just got a file.
  const uploaded = ["back", "front"].find((name) => {
    const file = form.get(`field.${name}`);
    return file instanceof File && file.size > 0;
  });
  const side = uploaded ?? form.get(VIEW_FIELDS.side);
  const zoom = form.get(VIEW_FIELDS.zoom);
  const layers = form.getAll(VIEW_FIELDS.layer);
  return {
    side: side === "front" || side === "back" ? side : FIRST_VIEW.side,
    zoom: ZOOMS.find((known) => known === zoom) ?? FIRST_VIEW.zoom,
    layers: form.has(VIEW_FIELDS.shown)
      ? LAYERS.filter((layer) => layers.includes(layer))
      : FIRST_VIEW.layers,
  };
}
