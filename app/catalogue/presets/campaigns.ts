import { EXAMPLE_CAMPAIGN } from "../example-rows";
import { CAMPAIGN_STATUSES } from "../options";
import { PAGE_FIELDS, PAGE_QUERY } from "../paging";
import { REFERENCE_PAGES } from "../reference-pages";
import type { FormField, Preset } from "../types";

const ID: FormField = {
  name: "id",
  label: "Campaign ID",
  type: "text",
  required: true,
  description: "As campaigns/list shows it.",
};

const TEMPLATE: FormField = {
  name: "template_id",
  label: "Template ID",
  type: "text",
  placeholder: "21001",
  description: "A design from templates/list.",
};

const SINGLE_CAMPAIGN = { ...EXAMPLE_CAMPAIGN, size: "4x6" };

/** One design mailed to a whole group. */
export const CAMPAIGN_PRESETS: readonly Preset[] = [
  {
    id: "campaigns.list",
    categoryId: "campaigns",
    label: "List campaigns",
    description: "Lists the campaigns with status, number of recipients and cost.",
    method: "GET",
    path: "campaigns/list",
    query: PAGE_QUERY,
    docsUrl: REFERENCE_PAGES.campaigns,
    exampleResponse: { success: true, data: [EXAMPLE_CAMPAIGN] },
    formFields: [
      ...PAGE_FIELDS,
      {
        name: "status",
        label: "Status",
        type: "select",
        options: CAMPAIGN_STATUSES,
        description: "Only campaigns in this state.",
      },
    ],
    reference: {
      status: "documented",
      documented: { method: "GET", path: "campaigns/list", formFields: [] },
      note: "The reference takes neither page, limit nor status here: expect every campaign.",
    },
  },
  {
    id: "campaigns.get",
    categoryId: "campaigns",
    label: "Get campaign",
    description: "Reads one campaign with its design, group, status and cost.",
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
    description: "Drafts a campaign from a design and a group; nothing is printed before it is sent.",
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
        description: "The mailing list it goes to, from lists/list.",
      },
      { ...TEMPLATE, description: "A design from templates/list, instead of the files below." },
      {
        name: "front",
        label: "Front",
        type: "file",
        accept: "image/jpeg,image/png,application/pdf",
        description: "A postcard's front, if there is no template.",
      },
      {
        name: "back",
        label: "Back",
        type: "file",
        accept: "image/jpeg,image/png,application/pdf",
        description: "A postcard's back.",
      },
      {
        name: "file",
        label: "Letter file",
        type: "file",
        accept: "application/pdf",
        description: "A letter's pages, if there is no template.",
      },
      {
        name: "size",
        label: "Size",
        type: "text",
        placeholder: "4x6",
        description: "Needed with files, for example 4x6 or US-LETTER.",
      },
      {
        name: "what_recipients",
        label: "Who of the group",
        type: "select",
        options: ["all", "valid", "not_valid", "int"],
        description: "Everybody, only verified or unverified addresses, or only those abroad.",
      },
      {
        name: "addons",
        label: "Add-ons",
        type: "text",
        placeholder: "FIRST_CLASS",
        description: "The provider's codes, with commas between them.",
      },
    ],
    reference: { status: "documented" },
  },
  {
    id: "campaigns.update",
    categoryId: "campaigns",
    label: "Update campaign",
    description: "Changes a draft campaign; what is left empty stays as it is.",
    method: "POST",
    path: "campaigns/update/{id}",
    exampleResponse: { success: true, data: SINGLE_CAMPAIGN },
    formFields: [ID, { name: "name", label: "Name", type: "text" }, TEMPLATE],
    reference: { status: "unlisted", note: "A draft can be deleted by campaigns/delete and made anew." },
  },
  {
    id: "campaigns.send",
    categoryId: "campaigns",
    label: "Send campaign",
    description: "Has a campaign printed and posted to its whole group, at the account's cost.",
    method: "POST",
    path: "campaigns/send/{id}",
    docsUrl: REFERENCE_PAGES.campaigns,
    exampleResponse: { success: true, data: { ...SINGLE_CAMPAIGN, status: "queued" } },
    formFields: [ID],
    reference: {
      status: "renamed",
      documented: { method: "POST", path: "campaigns/approve" },
      note: "It takes two documented calls with the id in the body: campaigns/approve, which locks the campaign for good, then campaigns/book with a send_date.",
    },
  },
  {
    id: "campaigns.cancel",
    categoryId: "campaigns",
    label: "Cancel campaign",
    description: "Stops a campaign that is queued and not yet printed.",
    method: "POST",
    path: "campaigns/cancel/{id}",
    exampleResponse: { success: true, data: { ...SINGLE_CAMPAIGN, status: "cancelled" } },
    formFields: [ID],
    reference: {
      status: "unlisted",
      note: "campaigns/delete removes one that is not booked; a booked one is cancelled on the provider's website.",
    },
  },
];
