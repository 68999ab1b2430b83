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
