import { ADDRESS_NAMES, parseInlineRecipient } from "~/outside/mail-provider/request-fields";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatMergedTooLong } from "../messages";
import { fillVariables, MAX_MERGED_CHARS, parseVariables } from "./merge";

type Fields = Record<string, unknown>;

const TEXTS = ["content", "message"];
/** Fields that tell the provider where a piece goes. Variables must not add to them. */
const ADDRESSING = new Set([
  ...ADDRESS_NAMES,
  ..."full_name zip email phone phone_number id recipient_id group_id on_duplicate".split(" "),
]);

/**
 * Fills the merge variables of a piece, so that it is printed as previewed. Texts are filled here, because the provider may or may not do
 * it. The provider fills templates from the recipient's details, so the variables are added to these. `unknown` have no value in the texts.
 * @param saved details of the saved recipient that the fields name by its ID
 */
export function mergeBody(
  fields: Fields,
  saved: Readonly<Record<string, string>> = {},
): Outcome<{ body: Fields; unknown: string[] }> {
  const inline = parseInlineRecipient(fields);
  const details = Object.keys(inline).length > 0 ? inline : saved;
  const body = { ...fields, ...addVariables(fields, inline) };
  const unknown = new Set<string>();
  for (const name of TEXTS) {
    const text = fields[name];
    if (typeof text !== "string") continue;
    const merged = fillVariables(text, details, fields.variables);
    if (merged.tooLong !== undefined) {
      return fail("too_large", formatMergedTooLong(name, merged.tooLong, MAX_MERGED_CHARS));
    }
    body[name] = merged.text;
    for (const variable of merged.unknown) unknown.add(variable);
  }
  return succeed({ body, unknown: [...unknown] });
}

/** Adds the variables as recipient details, spelled as the request spells those; none for a recipient named by an ID. */
function addVariables(fields: Fields, details: Fields): Fields {
  if (Object.keys(details).length === 0) return {};
  const added = [...parseVariables(fields.variables)].filter(
    ([name]) => !Object.hasOwn(details, name) && !ADDRESSING.has(name.toLowerCase()),
  );
  if (added.length === 0) return {};
  return details === fields.recipient
    ? { recipient: { ...details, ...Object.fromEntries(added) } }
    : Object.fromEntries(added.map(([name, value]) => [`recipient[${name}]`, value]));
}
