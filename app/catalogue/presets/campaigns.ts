import {
  ARTWORK,
  buildPresets,
  call,
  fileField,
  filterField,
  getCall,
  idField,
  listCall,
  selectField,
  textField,
} from "../rows";

/** A row of the list; a single campaign also has a `size`. */
const EXAMPLE_CAMPAIGN = {
  id: "261",
  account_id: "4817",
  name: "Autumn teaser",
  template_id: "21001",
  type: "4x6-postcard",
  trigger_date: "",
  send_date: "",
  trigger_offset: "0",
  created: "2026-01-06 10:00:00",
  updated: "2026-01-06 10:20:00",
  status: "draft",
  recipients_group: "311",
  recipients_filter: "all",
  recipients_validated: "124",
  recipients: "128",
  recipients_not_valid: "4",
  dispatched: "",
  cost: "126.72",
  voucher_code: "",
  image: "",
};

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
    documented: { path: "campaigns/list", fields: [] },
    note: "The documented call has no page, limit or status: it lists every campaign.",
  }),
  getCall("campaigns", SINGLE_CAMPAIGN, {
    label: "Get campaign",
    description: "Shows one campaign with design, group, status and cost.",
    id: { ...ID, placeholder: "261" },
    documented: true,
  }),
  call("POST", "campaigns/create", {
    label: "Create campaign",
    description: "Creates a draft campaign from a design and a group. Nothing is printed yet.",
    example: { id: "266" },
    fields: [
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
  }),
  call("POST", "campaigns/update/{id}", {
    label: "Update campaign",
    description: "Changes a draft campaign. Empty fields stay as they are.",
    example: SINGLE_CAMPAIGN,
    fields: [ID, textField("name", "Name"), TEMPLATE],
    note: "Drafts can be deleted with campaigns/delete and created again.",
  }),
  call("POST", "campaigns/send/{id}", {
    label: "Send campaign",
    description: "Prints and posts a campaign to its whole group. The account is charged.",
    example: { ...SINGLE_CAMPAIGN, status: "queued" },
    fields: [ID],
    documented: { path: "campaigns/approve" },
    note: "Documented are two calls with the id in the body: campaigns/approve (permanent), then campaigns/book with a send_date.",
  }),
  call("POST", "campaigns/cancel/{id}", {
    label: "Cancel campaign",
    description: "Stops a queued campaign that is not printed yet.",
    example: { ...SINGLE_CAMPAIGN, status: "cancelled" },
    fields: [ID],
    note: "Use campaigns/delete before booking. Booked campaigns are cancelled on the provider's website.",
  }),
]);
