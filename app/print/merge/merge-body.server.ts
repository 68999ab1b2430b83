import { ADDRESS_NAMES, parseInlineRecipient } from "~/outside/mail-provider/recipient-fields";
import { fillVariables, parseVariables } from "./merge";

const TEXTS = ["content", "message"];
/** What tells the provider where a piece goes: no variable adds to it. */
const ADDRESSING = new Set([
  ...ADDRESS_NAMES,
  ..."full_name zip email phone phone_number id recipient_id group_id on_duplicate".split(" "),
]);

/** The fields of a letter or postcard as they go out. */
export interface MergedBody {
  body: Record<string, unknown>;
  /** Names in its texts that nothing filled. */
  unknown: string[];
}

/**
 * Fills the merge variables of a letter or postcard, so that what is printed is what the proof showed: in the texts,
 * which the provider may or may not fill, and among the recipient's details, where it takes them for a template
 * (provider-api.md §3.1, §5.7). Of a recipient who is named by an ID nothing is known here.
 */
export function mergeBody(fields: Record<string, unknown>): MergedBody {
  const details = parseInlineRecipient(fields);
  const body = { ...fields, ...carryVariables(fields, details) };
  const unknown: string[] = [];
  for (const name of TEXTS) {
    const text = fields[name];
    if (typeof text !== "string") continue;
    const merged = fillVariables(text, details, fields.variables);
    body[name] = merged.text;
    unknown.push(...merged.unknown);
  }
  return { body, unknown };
}

/** The variables among the recipient's details, in the spelling that the request has for these; none beside an ID. */
function carryVariables(
  fields: Record<string, unknown>,
  details: Record<string, unknown>,
): Record<string, unknown> {
  if (Object.keys(details).length === 0) return {};
  const carried = [...parseVariables(fields.variables)].filter(
    ([name]) => !Object.hasOwn(details, name) && !ADDRESSING.has(name.toLowerCase()),
  );
  if (carried.length === 0) return {};
  return details === fields.recipient
    ? { recipient: { ...details, ...Object.fromEntries(carried) } }
    : Object.fromEntries(carried.map(([name, value]) => [`recipient[${name}]`, value]));
}
