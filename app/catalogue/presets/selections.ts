import { COUNTRIES } from "../options";
import { idField, listFields, PAGE_QUERY } from "../paging";
import { REFERENCE_PAGES } from "../reference-pages";
import type { Preset } from "../types";

const SELECTION = {
  id: "1231",
  name: "Oregon",
  group_id: "311",
  filters: "county:::matches:::OR",
  created: "2026-01-07 12:00:00",
};

/** Filtered parts of a group. */
export const SELECTION_PRESETS: readonly Preset[] = [
  {
    id: "selections.list",
    categoryId: "selections",
    label: "List selections",
    description: "Lists saved selections. A selection is a filter on a group.",
    method: "GET",
    path: "selections/list",
    query: PAGE_QUERY,
    exampleResponse: { success: true, data: [SELECTION] },
    formFields: listFields("country", "Country", COUNTRIES, "Only selections made for this country."),
    reference: { status: "unlisted" },
  },
  {
    id: "selections.get",
    categoryId: "selections",
    label: "Get selection",
    description: "Shows one selection with its filters.",
    method: "GET",
    path: "selections/get/{id}",
    exampleResponse: { success: true, data: SELECTION },
    formFields: [idField("Selection ID", "From selections/list.", "1231")],
    reference: { status: "unlisted" },
  },
  {
    id: "selections.create",
    categoryId: "selections",
    label: "Create selection",
    description: "Saves a filter on a group, to mail only part of it.",
    method: "POST",
    path: "selections/create",
    docsUrl: REFERENCE_PAGES.selections,
    exampleResponse: { success: true, data: [{ id: "1234" }] },
    formFields: [
      { name: "group_id", label: "Group ID", type: "text", required: true, description: "From lists/list." },
      { name: "name", label: "Name", type: "text", placeholder: "Oregon" },
      {
        name: "filters",
        label: "Filters",
        type: "textarea",
        placeholder: "county:::matches:::OR",
        description: "column:::operator:::value, joined with :::AND:::.",
        note: "Operators: matches, contains, begins, ends, before, after, less_than, more_than, is_not.",
      },
    ],
    reference: { status: "renamed", documented: { method: "POST", path: "selections/new" } },
  },
];
