import { EXAMPLE_CAMPAIGN } from "../example-rows";
import { CAMPAIGN_STATUSES } from "../options";
import { idField, listFields, PAGE_QUERY } from "../paging";
import { REFERENCE_PAGES } from "../reference-pages";
import type { FormField, Preset } from "../types";

const ID = idField("Campaign ID", "From campaigns/list.");

const TEMPLATE: FormField = {
  name: "template_id",
  label: "Template ID",
  type: "text",
  placeholder: "21001",
  description: "From templates/list.",
};

const SINGLE_CAMPAIGN = { ...EXAMPLE_CAMPAIGN, size: "4x6" };

/** One design mailed to a whole group. */
export const CAMPAIGN_PRESETS: readonly Preset[] = [
  {
    id: "campaigns.list",
    categoryId: "campaigns",
    label: "List campaigns",
    description: "Lists campaigns with status, number of recipients and cost.",
    method: "GET",
    path: "campaigns/list",
    query: PAGE_QUERY,
    docsUrl: REFERENCE_PAGES.campaigns,
    exampleResponse: { success: true, data: [EXAMPLE_CAMPAIGN] },
    formFields: listFields("status", "Status", CAMPAIGN_STATUSES, "Only campaigns with this status."),
    reference: {
      status: "documented",
      documented: { method: "GET", path: "campaigns/list", formFields: [] },
      note: "The documented call has no page, limit or status: it lists every campaign.",
    },
  },
  {
    id: "campaigns.get",
    categoryId: "campaigns",
    label: "Get campaign",
    description: "Shows one campaign with design, group, status and cost.",
    method: "GET",
    path: "campaigns/get/{id}",
    docsUrl: REFERENCE_PAGES.campaigns,
    exampleResponse: { success: true, data: SINGLE_CAMPAIGN },
    formFields: [{ ...ID, placeholder: "261" }],
    reference: { status: "documented" },
  },
  {
    id: "campaigns.create",
    categoryId: "campaigns",
    label: "Create campaign",
    description: "Creates a draft campaign from a design and a group. Nothing is printed yet.",
    method: "POST",
    path: "campaigns/create",
    docsUrl: REFERENCE_PAGES.campaigns,
    exampleResponse: { success: true, data: { id: "266" } },
    formFields: [
      { name: "name", label: "Name", type: "text", required: true },
      {
        name: "type",
        label: "Type",
        type: "select",
        required: true,
        placeholder: "4x6-postcard",
        options: ["4x6-postcard", "6x9-postcard", "6x11-postcard", "a6-postcard", "a5-postcard", "letter"],
      },
      {
        name: "group_id",
        label: "Group ID",
        type: "text",
        required: true,
        description: "Mailing list, from lists/list.",
      },
      { ...TEMPLATE, description: "From templates/list. Replaces the files below." },
      {
        name: "front",
        label: "Front",
        type: "file",
        accept: "image/jpeg,image/png,application/pdf",
        description: "Front of a postcard without template.",
      },
      {
        name: "back",
        label: "Back",
        type: "file",
        accept: "image/jpeg,image/png,application/pdf",
        description: "Back of a postcard.",
      },
      {
        name: "file",
        label: "Letter file",
        type: "file",
        accept: "application/pdf",
        description: "Pages of a letter without template.",
      },
      {
        name: "size",
        label: "Size",
        type: "text",
        placeholder: "4x6",
        description: "Required with files, for example 4x6 or US-LETTER.",
      },
      {
        name: "what_recipients",
        label: "Recipients",
        type: "select",
        options: ["all", "valid", "not_valid", "int"],
        description: "All recipients, verified or unverified addresses, or addresses abroad.",
      },
      {
        name: "addons",
        label: "Add-ons",
        type: "text",
        placeholder: "FIRST_CLASS",
        description: "The provider's codes, separated by commas.",
      },
    ],
    reference: { status: "documented" },
  },
  {
    id: "campaigns.update",
    categoryId: "campaigns",
    label: "Update campaign",
    description: "Changes a draft campaign. Empty fields stay as they are.",
    method: "POST",
    path: "campaigns/update/{id}",
    exampleResponse: { success: true, data: SINGLE_CAMPAIGN },
    formFields: [ID, { name: "name", label: "Name", type: "text" }, TEMPLATE],
    reference: { status: "unlisted", note: "Drafts can be deleted with campaigns/delete and created again." },
  },
  {
    id: "campaigns.send",
    categoryId: "campaigns",
    label: "Send campaign",
    description: "Prints and posts a campaign to its whole group. The account is charged.",
    method: "POST",
    path: "campaigns/send/{id}",
    docsUrl: REFERENCE_PAGES.campaigns,
    exampleResponse: { success: true, data: { ...SINGLE_CAMPAIGN, status: "queued" } },
    formFields: [ID],
    reference: {
      status: "renamed",
      documented: { method: "POST", path: "campaigns/approve" },
      note: "Documented are two calls with the id in the body: campaigns/approve (permanent), then campaigns/book with a send_date.",
    },
  },
  {
    id: "campaigns.cancel",
    categoryId: "campaigns",
    label: "Cancel campaign",
    description: "Stops a queued campaign that is not printed yet.",
    method: "POST",
    path: "campaigns/cancel/{id}",
    exampleResponse: { success: true, data: { ...SINGLE_CAMPAIGN, status: "cancelled" } },
    formFields: [ID],
    reference: {
      status: "unlisted",
      note: "Use campaigns/delete before booking. Booked campaigns are cancelled on the provider's website.",
    },
  },
];
