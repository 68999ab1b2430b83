import type { FormField } from "~/catalogue/types";
import { NOTHING_SET } from "./messages";

/** What is set in some fields, in one line: "Font size 12, In colour". */
export function formatSet(fields: readonly FormField[], values: Readonly<Record<string, string>>): string {
  const set = fields.flatMap((field) => {
    const value = (values[field.name] ?? "").trim();
    if (value === "") return [];
    if (field.type === "boolean") return value === "true" ? [field.label] : [];
    const word = field.words ? (value === "true" ? field.words.yes : field.words.no) : value;
    return [`${field.label}: ${word}`];
  });
  return set.join(" · ") || NOTHING_SET;
}
