import { EXAMPLE_GROUP } from "../example-rows";
import { FORM_HEADERS } from "../form-encoding";
import { idField, OFFSET_FIELDS, OFFSET_QUERY } from "../paging";
import { REFERENCE_PAGES } from "../reference-pages";
import type { FormField, Preset } from "../types";

const ID = idField("Group ID", "From groups/list.");

const MEMBERS: FormField = {
  name: "recipients",
  label: "Recipient IDs",
  type: "text",
  required: true,
  description: "Separate several IDs with commas.",
};

/** Groups of recipients. */
export const GROUP_PRESETS: readonly Preset[] = [
  {
    id: "groups.list",
    categoryId: "groups",
    label: "List groups",
    description: "Lists groups with their number of recipients and of valid addresses.",
    method: "GET",
    path: "groups/list",
    query: OFFSET_QUERY,
    docsUrl: REFERENCE_PAGES.groups,
    exampleResponse: { success: true, data: [EXAMPLE_GROUP] },
    formFields: OFFSET_FIELDS,
    reference: { status: "documented" },
  },
  {
    id: "groups.new",
    categoryId: "groups",
    label: "Create group",
    description: "Creates an empty group and returns its ID.",
    method: "POST",
    path: "groups/new",
    headers: FORM_HEADERS,
    docsUrl: REFERENCE_PAGES.groups,
    exampleResponse: { success: true, data: "318" },
    formFields: [{ name: "name", label: "Name", type: "text", required: true }],
    reference: { status: "documented" },
  },
  {
    id: "groups.add",
    categoryId: "groups",
    label: "Add to group",
    description: "Adds recipients to a group and returns how many were new.",
    method: "POST",
    path: "groups/add/{id}",
    headers: FORM_HEADERS,
    docsUrl: REFERENCE_PAGES.groups,
    exampleResponse: { success: true, data: 2 },
    formFields: [ID, MEMBERS],
    reference: { status: "documented" },
  },
  {
    id: "groups.remove",
    categoryId: "groups",
    label: "Remove from group",
    description: "Removes recipients from a group. They stay in the account.",
    method: "POST",
    path: "groups/remove/{id}",
    headers: FORM_HEADERS,
    docsUrl: REFERENCE_PAGES.groups,
    exampleResponse: { success: true, data: 1 },
    formFields: [ID, MEMBERS],
    reference: { status: "documented" },
  },
  {
    id: "groups.delete",
    categoryId: "groups",
    label: "Delete group",
    description: "Deletes a group and, if you choose so, its recipients.",
    method: "POST",
    path: "groups/delete",
    headers: FORM_HEADERS,
    docsUrl: REFERENCE_PAGES.groups,
    exampleResponse: { success: true, data: true },
    formFields: [
      ID,
      {
        name: "delete_recipients",
        label: "Delete its recipients too",
        type: "boolean",
        description: "Permanently deletes every recipient of the group.",
      },
    ],
    reference: { status: "documented" },
  },
];
