import { EXAMPLE_GROUP } from "../example-rows";
import { FORM_HEADERS } from "../form-encoding";
import { OFFSET_FIELDS, OFFSET_QUERY } from "../paging";
import { REFERENCE_PAGES } from "../reference-pages";
import type { FormField, Preset } from "../types";

const ID: FormField = {
  name: "id",
  label: "Group ID",
  type: "text",
  required: true,
  description: "As groups/list shows it.",
};

const MEMBERS: FormField = {
  name: "recipients",
  label: "Recipient IDs",
  type: "text",
  required: true,
  description: "One ID, or several with commas between them.",
};

/** Groups of recipients as the provider's reference has them (provider-api §2.5). */
export const GROUP_PRESETS: readonly Preset[] = [
  {
    id: "groups.list",
    categoryId: "groups",
    label: "List groups",
    description: "Lists the groups with how many recipients each has and how many can be mailed.",
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
    description: "Makes a new, empty group and answers its ID.",
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
    description: "Puts recipients into a group and answers how many were new to it.",
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
    description: "Takes recipients out of a group; they stay in the account.",
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
    description: "Removes a group and, only if you say so, its recipients with it.",
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
        description: "Removes every recipient of the group from the account for good.",
      },
    ],
    reference: { status: "documented" },
  },
];
