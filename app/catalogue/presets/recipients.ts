import { EXAMPLE_RECIPIENT } from "../example-rows";
import { COUNTRIES } from "../options";
import { idField, listFields, OFFSET_FIELDS, OFFSET_QUERY, PAGE_QUERY } from "../paging";
import { PERSON } from "../recipient-fields";
import { REFERENCE_PAGES } from "../reference-pages";
import type { FormField, Preset } from "../types";

const ID = idField("Recipient ID", "From recipients/list.");

const NAME_AND_ADDRESS: readonly FormField[] = [
  PERSON.title,
  { ...PERSON.firstname, required: true },
  { ...PERSON.lastname, required: true },
  PERSON.company,
  { ...PERSON.address1, required: true },
  PERSON.address2,
  { ...PERSON.city, required: true },
  PERSON.state,
  { ...PERSON.postcode, required: true },
  { ...PERSON.country, required: true },
  PERSON.email,
];

/** The account's address book. */
export const RECIPIENT_PRESETS: readonly Preset[] = [
  {
    id: "recipients.list",
    categoryId: "recipients",
    label: "List recipients",
    description: "Lists the account's saved recipients with their IDs.",
    method: "GET",
    path: "recipients/list",
    query: PAGE_QUERY,
    docsUrl: REFERENCE_PAGES.recipients,
    exampleResponse: { success: true, data: [EXAMPLE_RECIPIENT] },
    formFields: listFields("country", "Country", COUNTRIES, "Only recipients in this country."),
    reference: {
      status: "documented",
      documented: {
        method: "GET",
        path: "recipients/list",
        query: OFFSET_QUERY,
        formFields: [
          ...OFFSET_FIELDS,
          {
            name: "group_id",
            label: "Group ID",
            type: "text",
            description: "Only the recipients in this group.",
          },
        ],
      },
      note: "The documented call uses offset and limit instead of page, and filters only by group_id.",
    },
  },
  {
    id: "recipients.get",
    categoryId: "recipients",
    label: "Get recipient",
    description: "Shows one recipient with the full address. All values are strings.",
    method: "GET",
    path: "recipients/get/{id}",
    docsUrl: REFERENCE_PAGES.recipients,
    exampleResponse: { success: true, data: EXAMPLE_RECIPIENT },
    formFields: [{ ...ID, placeholder: "1001" }],
    reference: { status: "documented" },
  },
  {
    id: "recipients.create",
    categoryId: "recipients",
    label: "Create recipient",
    description: "Saves a new recipient and returns its ID.",
    method: "POST",
    path: "recipients/create",
    docsUrl: REFERENCE_PAGES.recipients,
    exampleResponse: {
      success: true,
      data: { id: "1941", valid: true, created: "2026-01-15T10:30:00+00:00" },
    },
    formFields: [...NAME_AND_ADDRESS, PERSON.phone],
    reference: {
      status: "renamed",
      documented: {
        method: "POST",
        path: "recipients/new",
        formFields: [
          ...NAME_AND_ADDRESS,
          { name: "phone_number", label: "Phone", type: "text", placeholder: "+12025550110" },
          { name: "job_title", label: "Job title", type: "text", placeholder: "Office manager" },
          {
            name: "ref_id",
            label: "Your own ID",
            type: "text",
            placeholder: "CRM-4000",
            description: "The person's ID in your own system.",
          },
          {
            name: "group_id",
            label: "Group ID",
            type: "text",
            description: "Adds the new recipient to this group.",
          },
          {
            name: "on_duplicate",
            label: "Existing recipient",
            type: "select",
            options: ["update", "ignore", "duplicate"],
          },
          {
            name: "test_level",
            label: "Compare by",
            type: "select",
            options: ["fullname", "email", "initial", "ref_id"],
          },
        ],
      },
      note: "The documented call uses phone_number, and on_duplicate decides about duplicates.",
    },
  },
  {
    id: "recipients.update",
    categoryId: "recipients",
    label: "Update recipient",
    description: "Changes the filled-in fields of a recipient.",
    method: "POST",
    path: "recipients/update/{id}",
    exampleResponse: { success: true, data: EXAMPLE_RECIPIENT },
    formFields: [
      ID,
      PERSON.title,
      PERSON.firstname,
      PERSON.lastname,
      PERSON.company,
      PERSON.address1,
      PERSON.address2,
      PERSON.city,
      PERSON.state,
      PERSON.postcode,
      PERSON.country,
      PERSON.email,
      PERSON.phone,
    ],
    reference: {
      status: "unlisted",
      note: "The documented way is recipients/new with on_duplicate set to update.",
    },
  },
  {
    id: "recipients.delete",
    categoryId: "recipients",
    label: "Delete recipient",
    description: "Permanently deletes a recipient.",
    method: "POST",
    path: "recipients/delete/{id}",
    docsUrl: REFERENCE_PAGES.recipients,
    exampleResponse: { success: true, data: 1 },
    formFields: [ID],
    reference: {
      status: "documented",
      documented: { method: "POST", path: "recipients/delete" },
      note: "The documented call takes the id in the body, not in the path.",
    },
  },
];
