import { FIRST_LIST_PAGE, LIST_LIMIT } from "./options";
import type { FormField } from "./types";

/** Fields that many presets share. */

const LIMIT: FormField = {
  name: "limit",
  label: "Limit",
  type: "number",
  placeholder: LIST_LIMIT,
  description: "Rows per page.",
};

/** Paging of this console's list presets. */
export const PAGE_FIELDS: readonly FormField[] = [
  {
    name: "page",
    label: "Page",
    type: "number",
    placeholder: FIRST_LIST_PAGE,
    description: "Page number, starting at 1.",
  },
  LIMIT,
];
export const PAGE_QUERY = { page: FIRST_LIST_PAGE, limit: LIST_LIMIT } as const;

/** Paging in the provider's documentation. */
export const OFFSET_FIELDS: readonly FormField[] = [
  {
    name: "offset",
    label: "Offset",
    type: "number",
    placeholder: "0",
    description: "Number of rows to skip.",
  },
  LIMIT,
];
export const OFFSET_QUERY = { offset: "0", limit: LIST_LIMIT } as const;

/** Fields of a list: paging and a filter. */
export function listFields(
  name: string,
  label: string,
  options: readonly string[],
  description: string,
): readonly FormField[] {
  return [...PAGE_FIELDS, { name, label, type: "select", options, description }];
}

/** The required ID in the path of a call. */
export function idField(label: string, description: string, placeholder?: string): FormField {
  const field = { name: "id", label, type: "text", required: true, description } as const;
  return placeholder === undefined ? field : { ...field, placeholder };
}
