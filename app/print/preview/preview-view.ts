import type { Side } from "../layout/geometry";

/** What one can switch on a proof, in the order of its legend. */
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

/**
 * `fit` fills the width there is, `print` is as large as on paper, `pixels` shows each pixel of 300 dpi artwork
 * as one of the screen.
 */
const ZOOMS = ["fit", "print", "pixels"] as const;
export type Zoom = (typeof ZOOMS)[number];

/** How a proof is looked at. */
export interface PreviewView {
  side: Side;
  zoom: Zoom;
  layers: readonly Layer[];
}

/** How many pixels wide artwork is drawn unless its own pixels are looked at. */
export const PREVIEW_PX = 1_200;

export const FIRST_VIEW: PreviewView = { side: "back", zoom: "fit", layers: LAYERS };

/** Names of the proof's own form fields; `shown` tells "no layer" from "no proof in this form". */
export const VIEW_FIELDS = {
  side: "preview.side",
  zoom: "preview.zoom",
  layer: "preview.layer",
  shown: "preview.shown",
} as const;

/** The view that a posted form asks for; what it does not say is as at first. */
export function parsePreviewView(form: FormData): PreviewView {
  const side = form.get(VIEW_FIELDS.side);
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
