import { EXAMPLE_CAMPAIGN } from "../example-rows";
import {
  ARTWORK,
  buildPresets,
  fileField,
  filterField,
  getCall,
  idField,
  listCall,
  selectField,
  textField,
} from "../rows";

const ID = idField("Campaign ID", "From campaigns/list.");

const TEMPLATE = textField("template_id", "Template ID", {
  placeholder: "21001",
  description: "From templates/list.",
});

const SINGLE_CAMPAIGN = { ...EXAMPLE_CAMPAIGN, size: "4x6" };

/** One design mailed to a whole group. */
export const CAMPAIGN_PRESETS = buildPresets("campaigns", [
  listCall("campaigns", EXAMPLE_CAMPAIGN, {
    label: "List campaigns",
    description: "Lists campaigns with status, number of recipients and cost.",
    filter: filterField(
      "status",
      "Status",
      ["draft", "queued", "sent", "completed"],
      "Only campaigns with this status.",
    ),
    documented: { path: "campaigns/list", formFields: [] },
    note: "The documented call has no page, limit or status: it lists every campaign.",
  }),
  getCall("campaigns", SINGLE_CAMPAIGN, {
    label: "Get campaign",
    description: "Shows one campaign with design, group, status and cost.",
    id: { ...ID, placeholder: "261" },
    documented: true,
  }),
  {
    label: "Create campaign",
    description: "Creates a draft campaign from a design and a group. Nothing is printed yet.",
    method: "POST",
    path: "campaigns/create",
    example: { id: "266" },
    formFields: [
      textField("name", "Name", { required: true }),
      selectField(
        "type",
        "Type",
        ["4x6-postcard", "6x9-postcard", "6x11-postcard", "a6-postcard", "a5-postcard", "letter"],
        { required: true, placeholder: "4x6-postcard" },
      ),
      textField("group_id", "Group ID", { required: true, description: "Mailing list, from lists/list." }),
      { ...TEMPLATE, description: "From templates/list. Replaces the files below." },
      fileField("front", "Front", ARTWORK, { description: "Front of a postcard without template." }),
      fileField("back", "Back", ARTWORK, { description: "Back of a postcard." }),
      fileField("file", "Letter file", "application/pdf", {
        description: "Pages of a letter without template.",
      }),
      textField("size", "Size", {
        placeholder: "4x6",
        description: "Required with files, for example 4x6 or US-LETTER.",
      }),
      selectField("what_recipients", "Recipients", ["all", "valid", "not_valid", "int"], {
        description: "All recipients, verified or unverified addresses, or addresses abroad.",
      }),
      textField("addons", "Add-ons", {
        placeholder: "FIRST_CLASS",
        description: "The provider's codes, separated by commas.",
      }),
    ],
    documented: true,
  },
  {
    label: "Update campaign",
    description: "Changes a draft campaign. Empty fields stay as they are.",
    method: "POST",
    path: "campaigns/update/{id}",
    example: SINGLE_CAMPAIGN,
    formFields: [ID, textField("name", "Name"), TEMPLATE],
    note: "Drafts can be deleted with campaigns/delete and created again.",
  },
  {
    label: "Send campaign",
    description: "Prints and posts a campaign to its whole group. The account is charged.",
    method: "POST",
    path: "campaigns/send/{id}",
    example: { ...SINGLE_CAMPAIGN, status: "queued" },
    formFields: [ID],
    documented: { path: "campaigns/approve" },
    note: "Documented are two calls with the id in the body: campaigns/approve (permanent), then campaigns/book with a send_date.",
  },
  {
    label: "Cancel campaign",
    description: "Stops a queued campaign that is not printed yet.",
    method: "POST",
    path: "campaigns/cancel/{id}",
    example: { ...SINGLE_CAMPAIGN, status: "cancelled" },
    formFields: [ID],
    note: "Use campaigns/delete before booking. Booked campaigns are cancelled on the provider's website.",
  },
]);
