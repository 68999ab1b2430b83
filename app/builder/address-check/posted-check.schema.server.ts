import { z } from "zod";
import { ADDRESS_VERDICTS } from "~/pieces/address-note";
import { parseJsonText } from "~/platform/http/body.server";
import type { Draft } from "../draft";
import { ADDRESS_PARTS, addressFieldName } from "./address-parts";
import { type AddressCheck, takeCorrections } from "./check-address";

const part = z.enum(ADDRESS_PARTS);
const line = z.string().max(500);

const postedCheck: z.ZodType<AddressCheck> = z.strictObject({
  asked: z.record(part, line),
  verdict: z.enum(ADDRESS_VERDICTS),
  reason: line.nullable(),
  corrections: z.partialRecord(part, line),
  real: z.boolean(),
});

/**
 * The address check in a form that was posted without JavaScript, or null if it cannot be parsed. With
 * `intent=use_address` its corrections are filled into the draft.
 */
export function parsePostedCheck(
  form: FormData,
  draft: Draft,
): { draft: Draft; addressCheck: AddressCheck | null } {
  const text = form.get("address_check");
  const json = typeof text === "string" ? parseJsonText(text) : null;
  const parsed = json?.ok ? postedCheck.safeParse(json.value) : null;
  const addressCheck = parsed?.data ?? null;
  if (addressCheck === null || form.get("intent") !== "use_address") return { draft, addressCheck };
  const taken = Object.entries(addressCheck.corrections).map(([name, value]) => [
    addressFieldName(part.parse(name)),
    value,
  ]);
  return {
    draft: { ...draft, values: { ...draft.values, ...Object.fromEntries(taken) } },
    addressCheck: takeCorrections(addressCheck),
  };
}
