/** A print format: price per piece in the account's currency and page size in points. */
export interface PrintFormat {
  cost: string;
  widthPt: number;
  heightPt: number;
}

/** Sizes as documented; prices are invented, below the console's price of a credit. */
export const POSTCARD_FORMATS: ReadonlyMap<string, PrintFormat> = new Map([
  ["4x6", { cost: "0.06", widthPt: 432, heightPt: 288 }],
  ["6x9", { cost: "0.08", widthPt: 648, heightPt: 432 }],
  ["6x11", { cost: "0.09", widthPt: 792, heightPt: 432 }],
  ["A6", { cost: "0.05", widthPt: 420, heightPt: 298 }],
  ["A5", { cost: "0.07", widthPt: 595, heightPt: 420 }],
  ["A5-ENV", { cost: "0.08", widthPt: 595, heightPt: 420 }],
  ["A5-PORT", { cost: "0.07", widthPt: 420, heightPt: 595 }],
]);

export const LETTER_FORMATS: ReadonlyMap<string, PrintFormat> = new Map([
  ["US-LETTER", { cost: "0.14", widthPt: 612, heightPt: 792 }],
  ["A4", { cost: "0.13", widthPt: 595, heightPt: 842 }],
  ["US-LETTER-XL-WINDOW", { cost: "0.17", widthPt: 612, heightPt: 792 }],
]);
