import { EXAMPLE_GROUP, EXAMPLE_RECIPIENT } from "../example-rows";
import { COUNTRIES } from "../options";
import {
  buildPresets,
  FORM_HEADERS,
  field,
  filterField,
  getCall,
  idField,
  listCall,
  OFFSET_FIELDS,
  OFFSET_QUERY,
  PAGE_FIELDS,
  PAGE_QUERY,
  textField,
} from "../rows";

const LIST_ID = { ...idField("List ID", "From lists/list."), note: "The provider calls lists groups." };

const MEMBERS = textField("recipients", "Recipient IDs", {
  required: true,
  description: "Separate several IDs with commas.",
});

const NAME = textField("name", "Name", { required: true });

/** Mailing lists. The provider calls them groups. */
export const LIST_PRESETS = buildPresets(
  "lists",
  [
    listCall("lists", EXAMPLE_GROUP, {
      label: "List mailing lists",
      description: "Lists mailing lists with their number of recipients and of valid addresses.",
      filter: filterField("status", "Status", ["ready"], "Only lists whose import is complete."),
      documented: { path: "groups/list", query: OFFSET_QUERY, formFields: OFFSET_FIELDS },
      note: "The documented call uses offset and limit instead of page, and has no filter.",
    }),
    getCall("lists", EXAMPLE_GROUP, {
      label: "Get mailing list",
      description: "Shows one mailing list with its numbers.",
      id: { ...LIST_ID, placeholder: "311" },
      note: "groups/list returns the same values for every list.",
    }),
    {
      label: "Create mailing list",
      description: "Creates an empty mailing list and returns its ID.",
      method: "POST",
      path: "lists/create",
      example: { id: "318" },
      formFields: [NAME],
      documented: { path: "groups/new" },
      note: "The documented call returns only the ID, as a string.",
    },
    {
      label: "Rename mailing list",
      description: "Renames a mailing list. Its recipients stay as they are.",
      method: "POST",
      path: "lists/update/{id}",
      example: EXAMPLE_GROUP,
      formFields: [LIST_ID, NAME],
    },
    {
      label: "Delete mailing list",
      description: "Deletes a mailing list. Its recipients stay in the account.",
      method: "POST",
      path: "lists/delete/{id}",
      example: true,
      formFields: [LIST_ID],
      documented: {
        path: "groups/delete",
        formFields: [
          LIST_ID,
          field("boolean", "delete_recipients", "Delete its recipients too", {
            description: "Permanently deletes every recipient of the list.",
          }),
        ],
      },
      note: "The documented call takes the id in the body.",
    },
    {
      label: "List members",
      description: "Lists the recipients of one mailing list.",
      method: "GET",
      path: "lists/members/{id}",
      page: "recipients",
      query: PAGE_QUERY,
      example: [EXAMPLE_RECIPIENT],
      formFields: [{ ...LIST_ID, placeholder: "311" }, ...PAGE_FIELDS],
      documented: {
        path: "recipients/list",
        query: OFFSET_QUERY,
        formFields: [
          textField("group_id", "Group ID", {
            required: true,
            placeholder: "311",
            description: "ID of the mailing list.",
          }),
          ...OFFSET_FIELDS,
        ],
      },
      note: "The documented call lists recipients by group_id, with offset and limit instead of page.",
    },
    {
      label: "Add to mailing list",
      description: "Adds recipients to a mailing list and returns how many were new.",
      method: "POST",
      path: "lists/add_recipient/{id}",
      example: 2,
      formFields: [LIST_ID, MEMBERS],
      documented: { path: "groups/add/{id}" },
    },
    {
      label: "Remove from mailing list",
      description: "Removes recipients from a mailing list. They stay in the account.",
      method: "POST",
      path: "lists/remove_recipient/{id}",
      example: 1,
      formFields: [LIST_ID, MEMBERS],
      documented: { path: "groups/remove/{id}" },
    },
  ],
  "groups",
);

const GROUP_ID = idField("Group ID", "From groups/list.");

/** Groups of recipients. */
export const GROUP_PRESETS = buildPresets("groups", [
  {
    label: "List groups",
    description: "Lists groups with their number of recipients and of valid addresses.",
    method: "GET",
    path: "groups/list",
    query: OFFSET_QUERY,
    example: [EXAMPLE_GROUP],
    formFields: OFFSET_FIELDS,
    documented: true,
  },
  {
    label: "Create group",
    description: "Creates an empty group and returns its ID.",
    method: "POST",
    path: "groups/new",
    headers: FORM_HEADERS,
    example: "318",
    formFields: [NAME],
    documented: true,
  },
  {
    label: "Add to group",
    description: "Adds recipients to a group and returns how many were new.",
    method: "POST",
    path: "groups/add/{id}",
    headers: FORM_HEADERS,
    example: 2,
    formFields: [GROUP_ID, MEMBERS],
    documented: true,
  },
  {
    label: "Remove from group",
    description: "Removes recipients from a group. They stay in the account.",
    method: "POST",
    path: "groups/remove/{id}",
    headers: FORM_HEADERS,
    example: 1,
    formFields: [GROUP_ID, MEMBERS],
    documented: true,
  },
  {
    label: "Delete group",
    description: "Deletes a group and, if you choose so, its recipients.",
    method: "POST",
    path: "groups/delete",
    headers: FORM_HEADERS,
    example: true,
    formFields: [
      GROUP_ID,
      field("boolean", "delete_recipients", "Delete its recipients too", {
        description: "Permanently deletes every recipient of the group.",
      }),
    ],
    documented: true,
  },
]);

const SELECTION = {
  id: "1231",
  name: "Oregon",
  group_id: "311",
  filters: "county:::matches:::OR",
  created: "2026-01-07 12:00:00",
};

/** Filtered parts of a group. */
export const SELECTION_PRESETS = buildPresets("selections", [
  listCall("selections", SELECTION, {
    label: "List selections",
    description: "Lists saved selections. A selection is a filter on a group.",
    filter: filterField("country", "Country", COUNTRIES, "Only selections made for this country."),
  }),
  getCall("selections", SELECTION, {
    label: "Get selection",
    description: "Shows one selection with its filters.",
    id: idField("Selection ID", "From selections/list.", "1231"),
  }),
  {
    label: "Create selection",
    description: "Saves a filter on a group, to mail only part of it.",
    method: "POST",
    path: "selections/create",
    example: [{ id: "1234" }],
    formFields: [
      textField("group_id", "Group ID", { required: true, description: "From lists/list." }),
      textField("name", "Name", { placeholder: "Oregon" }),
      field("textarea", "filters", "Filters", {
        placeholder: "county:::matches:::OR",
        description: "column:::operator:::value, joined with :::AND:::.",
        note: "Operators: matches, contains, begins, ends, before, after, less_than, more_than, is_not.",
      }),
    ],
    documented: { path: "selections/new" },
  },
]);
