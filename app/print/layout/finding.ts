import { formatCameBack } from "../messages";
import type { Box } from "./geometry";

/** Something to know before a piece is printed. */
export interface Finding {
  code: FindingCode;
  /** `ruins`: it cannot arrive or be read; `warn`: it would be printed wrong; `info`: the preview cannot show it. */
  tone: "ruins" | "warn" | "info";
  text: string;
  /** The form's field to change; null where none would help. */
  field: string | null;
  /** Position on the first page, or on a postcard's back. */
  mark?: Box;
}

export type FindingCode =
  | "refused"
  | "came_back"
  | "picture_shape"
  | "picture_blurry"
  | "picture_colours"
  | "pages_per_side"
  | "message_cut"
  | "no_value"
  | "filled_by_recipient"
  | "filled_later"
  | "white_on_white"
  | "address_cut"
  | "clear_zones_off"
  | "too_many_pages"
  | "not_laid_out"
  | "unprintable"
  | "unlisted_recipient"
  | "no_postcode"
  | "template_hidden"
  | "variables_lost"
  | "merged_too_long"
  | "sideways_back"
  | "no_fixed_abode"
  | "bad_line_start"
  | "address_unprintable"
  | "postcode_form"
  | "address_lines"
  | "address_zone"
  | "code_zone"
  | "barcode_zone"
  | "postage_zone"
  | "edge_text"
  | "pdf_unread"
  | "wrong_paper"
  | "font_missing"
  | "font_type3";

/** @param at when the last piece to the recipient was reported as returned */
export function toCameBack(at: Date): Finding {
  return { code: "came_back", tone: "ruins", field: "recipient_address1", text: formatCameBack(at) };
}
