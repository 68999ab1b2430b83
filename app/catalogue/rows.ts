import type { Category, FormField, JsonValue, Preset } from "./types";

/** Headers that make the proxy send a form-encoded body, which is what the provider documents. */
export const FORM_HEADERS = { "content-type": "application/x-www-form-urlencoded" } as const;

/** Note of fields that this console offers and the provider does not document. */
export const UNDOCUMENTED = "Not in the provider's docs: it may ignore this field.";

/** A page of the provider's public documentation. Most categories have one of their own. */
type ReferencePage = Category["id"] | "guide" | "tools";

/** A preset without the parts that follow from its category and path. */
export interface PresetRow extends Omit<Preset, "id" | "categoryId" | "docsUrl" | "exampleResponse"> {
  /** The `data` of the example response. */
  example: JsonValue;
  /** Set if it is not the category's page. */
  page?: ReferencePage;
}

/**
 * Builds the presets of a category. The ID of a preset is its path with dots, without names in braces: `lists.add-recipient`.
 * A call that the provider documents, under any path, links to its page there.
 */
export function buildPresets(
  categoryId: Category["id"],
  rows: readonly PresetRow[],
  categoryPage: ReferencePage = categoryId,
): readonly Preset[] {
  return rows.map(({ example, page = categoryPage, ...row }) => ({
    ...row,
    id: row.path
      .replace(/\/\{\w+\}/g, "")
      .replaceAll("/", ".")
      .replaceAll("_", "-"),
    categoryId,
    exampleResponse: { success: true, data: example },
    ...(row.reference.status === "unlisted"
      ? {}
      : { docsUrl: `https://www.stannp.com/us/direct-mail-api/${page}` }),
  }));
}

type Described = Pick<PresetRow, "label" | "description" | "reference" | "page">;

/** A call that lists rows by page, with one filter. */
export function listCall(
  room: string,
  row: JsonValue,
  { filter, ...described }: Described & { filter: FormField },
): PresetRow {
  return {
    method: "GET",
    path: `${room}/list`,
    query: PAGE_QUERY,
    example: [row],
    formFields: [...PAGE_FIELDS, filter],
    ...described,
  };
}

/** A call that gets one row by its ID. */
export function getCall(
  room: string,
  row: JsonValue,
  { id, ...described }: Described & { id: FormField },
): PresetRow {
  return { method: "GET", path: `${room}/get/{id}`, example: row, formFields: [id], ...described };
}

type FieldParts = Omit<FormField, "name" | "label" | "type" | "options">;

export function textField(name: string, label: string, parts: FieldParts = {}): FormField {
  return { name, label, type: "text", ...parts };
}

export function selectField(
  name: string,
  label: string,
  options: readonly string[],
  parts: FieldParts = {},
): FormField {
  return { name, label, type: "select", options, ...parts };
}

export function tagsField(placeholder: string): FormField {
  return textField("tags", "Tags", { placeholder, description: "For reports. Separate tags with commas." });
}

/** The filter of a list. */
export function filterField(
  name: string,
  label: string,
  options: readonly string[],
  description: string,
): FormField {
  return selectField(name, label, options, { description });
}

export function fileField(name: string, label: string, accept: string, parts: FieldParts = {}): FormField {
  return { name, label, type: "file", accept, ...parts };
}

/** The required ID in the path of a call. */
export function idField(label: string, description: string, placeholder?: string): FormField {
  return textField("id", label, {
    required: true,
    description,
    ...(placeholder === undefined ? {} : { placeholder }),
  });
}

/** Media types of artwork. */
export const ARTWORK = "image/jpeg,image/png,application/pdf";

export const PAGE_QUERY = { page: "1", limit: "25" } as const;
export const OFFSET_QUERY = { offset: "0", limit: PAGE_QUERY.limit } as const;

const LIMIT: FormField = {
  name: "limit",
  label: "Limit",
  type: "number",
  placeholder: PAGE_QUERY.limit,
  description: "Rows per page.",
};

/** Paging of this console's list presets. */
export const PAGE_FIELDS: readonly FormField[] = [
  {
    name: "page",
    label: "Page",
    type: "number",
    placeholder: PAGE_QUERY.page,
    description: "Page number, starting at 1.",
  },
  LIMIT,
];

/** Paging in the provider's documentation. */
export const OFFSET_FIELDS: readonly FormField[] = [
  {
    name: "offset",
    label: "Offset",
    type: "number",
    placeholder: OFFSET_QUERY.offset,
    description: "Number of rows to skip.",
  },
  LIMIT,
];
