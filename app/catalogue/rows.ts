import type { Category, FormField, JsonValue, Preset, PresetCall, Reference } from "./types";

/** Headers that make the proxy send a form-encoded body, which is what the provider documents. */
export const FORM_HEADERS = { "content-type": "application/x-www-form-urlencoded" } as const;

/** Note of fields that this console offers and the provider does not document. */
export const UNDOCUMENTED = "Not in the provider's docs: it may ignore this field.";

/** A page of the provider's public documentation. Most categories have one of their own. */
type ReferencePage = Category["id"] | "guide" | "tools";

type EmptyParts = Partial<Pick<PresetCall, "query" | "headers" | "body" | "fields">>;

/** A preset without the parts that follow from its category and path, or that are empty. */
interface PresetRow extends Pick<Preset, "method" | "path" | "label" | "description">, EmptyParts {
  /** The `data` of the example response. */
  example: JsonValue;
  /** True for a call that the provider documents, or the documented call where that differs. */
  documented?: true | DocumentedRow;
  /** A note about the documentation. */
  note?: string;
  /** Set if it is not the category's page. */
  page?: ReferencePage;
}

/** A documented call with the method of its preset, and its fields unless it has others. */
type DocumentedRow = Pick<PresetCall, "path"> & Partial<Pick<PresetCall, "query" | "fields">>;

/**
 * Builds the presets of a category. The ID of a preset is its path with dots, without names in braces: `lists.add-recipient`.
 * A call that the provider documents, under any path, links to its page there.
 */
export function buildPresets(
  categoryId: Category["id"],
  rows: readonly PresetRow[],
  categoryPage: ReferencePage = categoryId,
): readonly Preset[] {
  return rows.map(({ example, documented, note, page = categoryPage, ...row }) => {
    const call = { query: {}, headers: {}, body: {}, fields: [], ...row };
    return {
      ...call,
      id: dropNames(row.path).replaceAll("/", ".").replaceAll("_", "-"),
      categoryId,
      exampleResponse: { success: true, data: example },
      ...(documented ? { docsUrl: `https://www.stannp.com/us/direct-mail-api/${page}` } : {}),
      reference: { ...buildReference(call, documented), ...(note ? { note } : {}) },
    };
  });
}

/** Compares a call with its documentation: it is renamed when the paths differ in more than the names of IDs. */
function buildReference(
  { method, path, fields }: Pick<PresetCall, "method" | "path" | "fields">,
  documented: PresetRow["documented"],
): Reference {
  if (!documented) return { status: "unlisted" };
  if (documented === true) return { status: "documented" };
  const headers = method === "POST" ? FORM_HEADERS : {};
  return {
    status: dropNames(path) === dropNames(documented.path) ? "documented" : "renamed",
    documented: { method, query: {}, headers, body: {}, fields, ...documented },
  };
}

function dropNames(path: string): string {
  return path.replace(/\/\{\w+\}/g, "");
}

export function call(
  method: Preset["method"],
  path: string,
  row: Omit<PresetRow, "method" | "path">,
): PresetRow {
  return { method, path, ...row };
}

type Described = Pick<PresetRow, "label" | "description" | "documented" | "note" | "page">;

/** Builds a call that lists rows page by page, with one filter. */
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
    fields: [...PAGE_FIELDS, filter],
    ...described,
  };
}

/** Builds a call that gets one row by its ID. */
export function getCall(
  room: string,
  row: JsonValue,
  { id, ...described }: Described & { id: FormField },
): PresetRow {
  return { method: "GET", path: `${room}/get/{id}`, example: row, fields: [id], ...described };
}

type FieldParts = Omit<FormField, "name" | "label" | "type">;

export function field(
  type: FormField["type"],
  name: string,
  label: string,
  parts: FieldParts = {},
): FormField {
  return { name, label, type, ...parts };
}

export function textField(name: string, label: string, parts?: FieldParts): FormField {
  return field("text", name, label, parts);
}

export function selectField(
  name: string,
  label: string,
  options: readonly string[],
  parts: FieldParts = {},
): FormField {
  return field("select", name, label, { options, ...parts });
}

export function tagsField(placeholder: string): FormField {
  return textField("tags", "Tags", { placeholder, description: "For reports. Separate tags with commas." });
}

export function filterField(
  name: string,
  label: string,
  options: readonly string[],
  description: string,
): FormField {
  return selectField(name, label, options, { description });
}

export function fileField(name: string, label: string, accept: string, parts: FieldParts = {}): FormField {
  return field("file", name, label, { accept, ...parts });
}

/** Builds the field of the ID in the path of a call. */
export function idField(label: string, description: string, placeholder?: string): FormField {
  return textField("id", label, { required: true, description, placeholder });
}

/** Media types of artwork. */
export const ARTWORK = "image/jpeg,image/png,application/pdf";

export const PAGE_QUERY = { page: "1", limit: "25" } as const;
export const OFFSET_QUERY = { offset: "0", limit: PAGE_QUERY.limit } as const;

const LIMIT = field("number", "limit", "Limit", {
  placeholder: PAGE_QUERY.limit,
  description: "Rows per page.",
});

/** Paging of this console's list presets. */
export const PAGE_FIELDS: readonly FormField[] = [
  field("number", "page", "Page", {
    placeholder: PAGE_QUERY.page,
    description: "Page number, starting at 1.",
  }),
  LIMIT,
];

/** Paging in the provider's documentation. */
export const OFFSET_FIELDS: readonly FormField[] = [
  field("number", "offset", "Offset", {
    placeholder: OFFSET_QUERY.offset,
    description: "Number of rows to skip.",
  }),
  LIMIT,
];
