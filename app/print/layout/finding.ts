import { formatCameBack } from "../messages";
import type { Box } from "./geometry";

export interface Finding {
  /** Such as `address_cut`. The API returns it. */
  code: string;
  /** `ruins`: it cannot arrive or be read; `warn`: it would be printed wrong; `info`: the preview cannot show it. */
  tone: "ruins" | "warn" | "info";
  text: string;
  /** The form's field to change; null where none would help. */
  field: string | null;
  /** Position on the first page, or on a postcard's back. */
  mark?: Box;
}

/** @param at when the last piece to the recipient was reported as returned */
export function toCameBack(at: Date): Finding {
  return { code: "came_back", tone: "ruins", field: "recipient_address1", text: formatCameBack(at) };
}
