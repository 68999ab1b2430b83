import { COUNTRIES } from "../options";
import {
  buildPresets,
  call,
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
import { EXAMPLE_RECIPIENT } from "./recipients";

const EXAMPLE_GROUP = {
  id: "311",
  account_id: "4817",
  name: "Spring mailing, US",
  created: "2026-01-04 08:30:00",
  recipients: "128",
  valid: "124",
  international: "0",
  skipped: "0",
  status: "ready",
  import_progress: "100",
  is_seeds: "0",
};

const LIST_ID = { ...idField("List ID", "From lists/list."), note: "The provider calls lists groups." };

const MEMBERS = textField("recipients", "Recipient IDs", {
  required: true,
  description: "Separate several IDs with commas.",
});

const DELETE_RECIPIENTS = field("boolean", "delete_recipients", "Delete its recipients too");

const NAME = textField("name", "Name", { required: true });

/** Mailing lists. The provider calls them groups. */
export const LIST_PRESETS = buildPresets(
  "lists",
  [
    listCall("lists", EXAMPLE_GROUP, {
      label: "List mailing lists",
      description: "Lists mailing lists with their number of recipients and of valid addresses.",
      filter: filterField("status", "Status", ["ready"], "Only lists whose import is complete."),
      documented: { path: "groups/list", query: OFFSET_QUERY, fields: OFFSET_FIELDS },
      note: "The documented call uses offset and limit instead of page, and has no filter.",
    }),
    getCall("lists", EXAMPLE_GROUP, {
      label: "Get mailing list",
      description: "Shows one mailing list with its numbers.",
      id: { ...LIST_ID, placeholder: "311" },
      note: "groups/list returns the same values for every list.",
    }),
    call("POST", "lists/create", {
      label: "Create mailing list",
      description: "Creates an empty mailing list and returns its ID.",
      example: { id: "318" },
      fields: [NAME],
      documented: { path: "groups/new" },
      note: "The documented call returns only the ID, as a string.",
    }),
    call("POST", "lists/update/{id}", {
      label: "Rename mailing list",
      description: "Renames a mailing list. Its recipients stay as they are.",
      example: EXAMPLE_GROUP,
      fields: [LIST_ID, NAME],
    }),
    call("POST", "lists/delete/{id}", {
      label: "Delete mailing list",
      description: "Deletes a mailing list. Its recipients stay in the account.",
      example: true,
      fields: [LIST_ID],
      documented: {
        path: "groups/delete",
        fields: [
          LIST_ID,
          { ...DELETE_RECIPIENTS, description: "Permanently deletes every recipient of the list." },
        ],
      },
      note: "The documented call takes the id in the body.",
    }),
    call("GET", "lists/members/{id}", {
      label: "List members",
      description: "Lists the recipients of one mailing list.",
      page: "recipients",
      query: PAGE_QUERY,
      example: [EXAMPLE_RECIPIENT],
      fields: [
        { ...LIST_ID, placeholder: "311" },
        ...PAGE_FIELDS,
        filterField("country", "Country", COUNTRIES, "Only recipients in this country."),
      ],
      documented: {
        path: "recipients/list",
        query: OFFSET_QUERY,
        fields: [
          textField("group_id", "Group ID", {
            required: true,
            placeholder: "311",
            description: "ID of the mailing list.",
          }),
          ...OFFSET_FIELDS,
        ],
      },
      note: "The documented call lists recipients by group_id, with offset and limit instead of page, and has no filter.",
    }),
    call("POST", "lists/add_recipient/{id}", {
      label: "Add to mailing list",
      description: "Adds recipients to a mailing list and returns how many were new.",
      example: 2,
      fields: [LIST_ID, MEMBERS],
      documented: { path: "groups/add/{id}" },
    }),
    call("POST", "lists/remove_recipient/{id}", {
      label: "Remove from mailing list",
      description: "Removes recipients from a mailing list. They stay in the account.",
      example: 1,
      fields: [LIST_ID, MEMBERS],
      documented: { path: "groups/remove/{id}" },
    }),
  ],
  "groups",
);

const GROUP_ID = idField("Group ID", "From groups/list.");

export const GROUP_PRESETS = buildPresets("groups", [
  call("GET", "groups/list", {
    label: "List groups",
    description: "Lists groups with their number of recipients and of valid addresses.",
    query: OFFSET_QUERY,
    example: [EXAMPLE_GROUP],
    fields: OFFSET_FIELDS,
    documented: true,
  }),
  call("POST", "groups/new", {
    label: "Create group",
    description: "Creates an empty group and returns its ID.",
    headers: FORM_HEADERS,
    example: "318",
    fields: [NAME],
    documented: true,
  }),
  call("POST", "groups/add/{id}", {
    label: "Add to group",
    description: "Adds recipients to a group and returns how many were new.",
    headers: FORM_HEADERS,
    example: 2,
    fields: [GROUP_ID, MEMBERS],
    documented: true,
  }),
  call("POST", "groups/remove/{id}", {
    label: "Remove from group",
    description: "Removes recipients from a group. They stay in the account.",
    headers: FORM_HEADERS,
    example: 1,
    fields: [GROUP_ID, MEMBERS],
    documented: true,
  }),
  call("POST", "groups/delete", {
    label: "Delete group",
    description: "Deletes a group and, if you choose so, its recipients.",
    headers: FORM_HEADERS,
    example: true,
    fields: [
      GROUP_ID,
      { ...DELETE_RECIPIENTS, description: "Permanently deletes every recipient of the group." },
    ],
    documented: true,
  }),
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
  call("POST", "selections/create", {
    label: "Create selection",
    description: "Saves a filter on a group, to mail only part of it.",
    example: [{ id: "1234" }],
    fields: [
      textField("group_id", "Group ID", { required: true, description: "From lists/list." }),
      textField("name", "Name", { placeholder: "Oregon" }),
      field("textarea", "filters", "Filters", {
        placeholder: "county:::matches:::OR",
        description: "column:::operator:::value, joined with :::AND:::.",
        note: "Operators: matches, contains, begins, ends, before, after, less_than, more_than, is_not.",
      }),
    ],
    documented: { path: "selections/new" },
  }),
]);
