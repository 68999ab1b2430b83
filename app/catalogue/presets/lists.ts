import { EXAMPLE_GROUP, EXAMPLE_RECIPIENT } from "../example-rows";
import { idField, listFields, OFFSET_FIELDS, OFFSET_QUERY, PAGE_FIELDS, PAGE_QUERY } from "../paging";
import { REFERENCE_PAGES } from "../reference-pages";
import type { FormField, Preset } from "../types";

const ID = { ...idField("List ID", "From lists/list."), note: "The provider calls lists groups." };

const MEMBERS: FormField = {
  name: "recipients",
  label: "Recipient IDs",
  type: "text",
  required: true,
  description: "Separate several IDs with commas.",
};

const NAME: FormField = { name: "name", label: "Name", type: "text", required: true };

/** Mailing lists. The provider calls them groups. */
export const LIST_PRESETS: readonly Preset[] = [
  {
    id: "lists.list",
    categoryId: "lists",
    label: "List mailing lists",
    description: "Lists mailing lists with their number of recipients and of valid addresses.",
    method: "GET",
    path: "lists/list",
    query: PAGE_QUERY,
    docsUrl: REFERENCE_PAGES.groups,
    exampleResponse: { success: true, data: [EXAMPLE_GROUP] },
    formFields: listFields("status", "Status", ["ready"], "Only lists whose import is complete."),
    reference: {
      status: "renamed",
      documented: { method: "GET", path: "groups/list", query: OFFSET_QUERY, formFields: OFFSET_FIELDS },
      note: "The documented call uses offset and limit instead of page, and has no filter.",
    },
  },
  {
    id: "lists.get",
    categoryId: "lists",
    label: "Get mailing list",
    description: "Shows one mailing list with its numbers.",
    method: "GET",
    path: "lists/get/{id}",
    exampleResponse: { success: true, data: EXAMPLE_GROUP },
    formFields: [{ ...ID, placeholder: "311" }],
    reference: { status: "unlisted", note: "groups/list returns the same values for every list." },
  },
  {
    id: "lists.create",
    categoryId: "lists",
    label: "Create mailing list",
    description: "Creates an empty mailing list and returns its ID.",
    method: "POST",
    path: "lists/create",
    docsUrl: REFERENCE_PAGES.groups,
    exampleResponse: { success: true, data: { id: "318" } },
    formFields: [NAME],
    reference: {
      status: "renamed",
      documented: { method: "POST", path: "groups/new" },
      note: "The documented call returns only the ID, as a string.",
    },
  },
  {
    id: "lists.update",
    categoryId: "lists",
    label: "Rename mailing list",
    description: "Renames a mailing list. Its recipients stay as they are.",
    method: "POST",
    path: "lists/update/{id}",
    exampleResponse: { success: true, data: EXAMPLE_GROUP },
    formFields: [ID, NAME],
    reference: { status: "unlisted" },
  },
  {
    id: "lists.delete",
    categoryId: "lists",
    label: "Delete mailing list",
    description: "Deletes a mailing list. Its recipients stay in the account.",
    method: "POST",
    path: "lists/delete/{id}",
    docsUrl: REFERENCE_PAGES.groups,
    exampleResponse: { success: true, data: true },
    formFields: [ID],
    reference: {
      status: "renamed",
      documented: {
        method: "POST",
        path: "groups/delete",
        formFields: [
          ID,
          {
            name: "delete_recipients",
            label: "Delete its recipients too",
            type: "boolean",
            description: "Permanently deletes every recipient of the list.",
          },
        ],
      },
      note: "The documented call takes the id in the body.",
    },
  },
  {
    id: "lists.members",
    categoryId: "lists",
    label: "List members",
    description: "Lists the recipients of one mailing list.",
    method: "GET",
    path: "lists/members/{id}",
    query: PAGE_QUERY,
    docsUrl: REFERENCE_PAGES.recipients,
    exampleResponse: { success: true, data: [EXAMPLE_RECIPIENT] },
    formFields: [{ ...ID, placeholder: "311" }, ...PAGE_FIELDS],
    reference: {
      status: "renamed",
      documented: {
        method: "GET",
        path: "recipients/list",
        query: OFFSET_QUERY,
        formFields: [
          {
            name: "group_id",
            label: "Group ID",
            type: "text",
            required: true,
            placeholder: "311",
            description: "ID of the mailing list.",
          },
          ...OFFSET_FIELDS,
        ],
      },
      note: "The documented call lists recipients by group_id, with offset and limit instead of page.",
    },
  },
  {
    id: "lists.add-recipient",
    categoryId: "lists",
    label: "Add to mailing list",
    description: "Adds recipients to a mailing list and returns how many were new.",
    method: "POST",
    path: "lists/add_recipient/{id}",
    docsUrl: REFERENCE_PAGES.groups,
    exampleResponse: { success: true, data: 2 },
    formFields: [ID, MEMBERS],
    reference: { status: "renamed", documented: { method: "POST", path: "groups/add/{id}" } },
  },
  {
    id: "lists.remove-recipient",
    categoryId: "lists",
    label: "Remove from mailing list",
    description: "Removes recipients from a mailing list. They stay in the account.",
    method: "POST",
    path: "lists/remove_recipient/{id}",
    docsUrl: REFERENCE_PAGES.groups,
    exampleResponse: { success: true, data: 1 },
    formFields: [ID, MEMBERS],
    reference: { status: "renamed", documented: { method: "POST", path: "groups/remove/{id}" } },
  },
];
