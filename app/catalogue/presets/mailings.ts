import { EXAMPLE_POSTCARD, TEST_POSTCARD } from "../example-rows";
import { MAILING_SIZES } from "../options";
import {
  buildPresets,
  field,
  filterField,
  getCall,
  idField,
  listCall,
  selectField,
  tagsField,
  textField,
} from "../rows";

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
  {
    label: "Create mailing",
    description: "Sends a template as postcard, letter or flyer. In test mode you get a free sample.",
    method: "POST",
    path: "mailings/create",
    body: { test: true },
    example: TEST_POSTCARD,
    formFields: [
      TEST,
      { ...TYPE, required: true, placeholder: "postcard" },
      selectField("size", "Size", MAILING_SIZES, { description: "In inches. Not for letters." }),
      textField("template", "Template ID", { required: true, description: "From templates/list." }),
      textField("recipient", "Recipient ID", { required: true, description: "From recipients/list." }),
      tagsField("spring,offer"),
    ],
    note: "The documented calls are postcards/create and letters/create.",
  },
  {
    label: "Cancel mailing",
    description: "Stops a piece before its production starts.",
    method: "POST",
    path: "mailings/cancel/{id}",
    example: 1,
    formFields: [ID],
    note: "The documented calls are postcards/cancel and letters/cancel.",
  },
  {
    label: "Mailing events",
    description: "Lists the events of one piece.",
    method: "GET",
    path: "mailings/events/{id}",
    example: [
      { mailpiece_id: 16799901, type: "received", created: "2026-01-08 11:02:33" },
      { mailpiece_id: 16799901, type: "producing", created: "2026-01-09 11:02:33" },
      { mailpiece_id: 16799901, type: "handed_over", created: "2026-01-10 11:02:33" },
    ],
    formFields: [{ ...ID, placeholder: "16799901" }],
    note: "The provider reports events by webhook.",
  },
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
  {
    label: "Create batch",
    description: "Creates a batch of mail from a template and a mailing list.",
    method: "POST",
    path: "batches/create",
    body: { test: true },
    example: { ...BATCH, id: "703", status: "pending", items: "0" },
    formFields: [
      TEST,
      textField("name", "Name", { required: true }),
      { ...TYPE, required: true, placeholder: "postcard" },
      textField("template", "Template ID", { placeholder: "21001" }),
      textField("list_id", "List ID", { placeholder: "311" }),
    ],
    note: "letters/batch is no longer documented. Use a campaign to mail a whole group.",
  },
]);
