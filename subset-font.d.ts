/** The parts of `subset-font` that are used by the build; it ships no types. */
declare module "subset-font" {
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: "woff2";
      /** Tags of OpenType features; all others are dropped. */
      keepFeatures: string[];
      variationAxes: Record<string, { min: number; max: number }>;
    },
  ): Promise<Buffer>;
}
