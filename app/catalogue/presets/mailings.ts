import { MAILING_SIZES } from "../options";
import {
  buildPresets,
  call,
  field,
  filterField,
  getCall,
  idField,
  listCall,
  selectField,
  tagsField,
  textField,
} from "../rows";
import { EXAMPLE_POSTCARD, TEST_POSTCARD } from "./mail";

const ID = idField("Mailing ID", "From mailings/list.");

const TYPE = selectField("type", "Type", ["postcard", "letter", "flyer"]);

const TEST = field("boolean", "test", "Test mode", {
  description: "On: you get a free sample. Off: real mail is sent.",
});

const BATCH = {
  id: "701",
  name: "Reminders",
  type: "postcard",
  status: "completed",
  items: "24",
  created: "2026-01-12 09:00:00",
};

/** Single pieces of any kind, and batches of them. */
export const MAILING_PRESETS = buildPresets("mailings", [
  listCall("mailings", EXAMPLE_POSTCARD, {
    label: "List mailings",
    description: "Lists all kinds of mail, newest first.",
    filter: { ...TYPE, description: "Only mailings of this type." },
    note: "The closest documented call is GET reporting/list/{start}/{end}, with dates as YYYY-MM-DD.",
  }),
  getCall("mailings", EXAMPLE_POSTCARD, {
    label: "Get mailing",
    description: "Shows one piece with address, status and cost.",
    id: { ...ID, placeholder: "16799901" },
    note: "The documented calls are postcards/get/{id} and letters/get/{id}.",
  }),
  call("POST", "mailings/create", {
    label: "Create mailing",
    description: "Sends a template as postcard, letter or flyer. In test mode you get a free sample.",
    body: { test: true },
    example: TEST_POSTCARD,
    fields: [
      TEST,
      { ...TYPE, required: true, placeholder: "postcard" },
      selectField("size", "Size", MAILING_SIZES, { description: "In inches. Not for letters." }),
      textField("template", "Template ID", { required: true, description: "From templates/list." }),
      textField("recipient", "Recipient ID", { required: true, description: "From recipients/list." }),
      tagsField("spring,offer"),
    ],
    note: "The documented calls are postcards/create and letters/create.",
  }),
  call("POST", "mailings/cancel/{id}", {
    label: "Cancel mailing",
    description: "Stops a piece before its production starts.",
    example: 1,
    fields: [ID],
    note: "The documented calls are postcards/cancel and letters/cancel.",
  }),
  call("GET", "mailings/events/{id}", {
    label: "Mailing events",
    description: "Lists the events of one piece.",
    example: [
      { mailpiece_id: 16799901, type: "received", created: "2026-01-08 11:02:33" },
      { mailpiece_id: 16799901, type: "producing", created: "2026-01-09 11:02:33" },
      { mailpiece_id: 16799901, type: "handed_over", created: "2026-01-10 11:02:33" },
    ],
    fields: [{ ...ID, placeholder: "16799901" }],
    note: "The provider reports events by webhook.",
  }),
  listCall("batches", BATCH, {
    label: "List batches",
    description: "Lists batches with their progress.",
    filter: filterField(
      "status",
      "Status",
      ["pending", "processing", "completed", "failed"],
      "Only batches with this status.",
    ),
  }),
  getCall("batches", BATCH, {
    label: "Get batch",
    description: "Shows one batch with status and number of items.",
    id: idField("Batch ID", "From batches/list.", "701"),
  }),
  call("POST", "batches/create", {
    label: "Create batch",
    description: "Creates a batch of mail from a template and a mailing list.",
    body: { test: true },
    example: { ...BATCH, id: "703", status: "pending", items: "0" },
    fields: [
      TEST,
      textField("name", "Name", { required: true }),
      { ...TYPE, required: true, placeholder: "postcard" },
      textField("template", "Template ID", { placeholder: "21001" }),
      textField("list_id", "List ID", { placeholder: "311" }),
    ],
    note: "letters/batch is no longer documented. Use a campaign to mail a whole group.",
  }),
]);

const START = textField("start", "First day", { placeholder: "2026-01-01", description: "YYYY-MM-DD." });
const END = textField("end", "Last day", {
  placeholder: "2026-12-31",
  description: "YYYY-MM-DD, inclusive.",
});

const COUNTS = {
  total: 310,
  received: 12,
  printing: 8,
  handed_over: 31,
  local_delivery: 9,
  delivered: 238,
  returned: 7,
  cancelled: 5,
};

/** Figures over all mail and over a campaign. */
export const REPORT_PRESETS = buildPresets("reporting", [
  call("GET", "reports/summary", {
    label: "Report summary",
    description: "Counts the account's mail by status.",
    example: COUNTS,
    fields: [START, END],
    documented: {
      path: "reporting/summary/{start}/{end}",
      fields: [
        { ...START, required: true },
        { ...END, required: true },
      ],
    },
    note: "The documented call requires both days, in the path.",
  }),
  getCall(
    "reports/campaigns",
    {
      id: "261",
      name: "Autumn teaser",
      status: "completed",
      recipients: "128",
      cost: "126.72",
      ...COUNTS,
      total: 128,
    },
    {
      label: "Campaign report",
      description: "Counts the mail of one campaign by status.",
      id: idField("Campaign ID", "From campaigns/list.", "261"),
      note: "campaigns/get/{id} shows a campaign's status and cost.",
    },
  ),
]);

const EVENT = {
  id: "9001",
  recipient_id: "1005",
  name: "sent",
  type: "sent",
  value: "",
  conversion: "0",
  data: "",
  ref: "",
  created: "2026-01-09 08:00:00",
};

const WRITE_ONLY = "Events can only be created, with POST recipientEvents/create.";

/** Events of recipients and their mail. */
export const EVENT_PRESETS = buildPresets("events", [
  listCall("events", EVENT, {
    label: "List events",
    description: "Lists events of mail and recipients, such as deliveries and returns.",
    filter: filterField(
      "type",
      "Type",
      ["sent", "delivered", "returned", "failed"],
      "Only events of this type.",
    ),
    note: WRITE_ONLY,
  }),
  getCall("events", EVENT, {
    label: "Get event",
    description: "Shows one event with its recipient.",
    id: idField("Event ID", "From events/list.", "9001"),
    note: WRITE_ONLY,
  }),
]);
