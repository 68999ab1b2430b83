import { EXAMPLE_POSTCARD } from "../example-rows";
import { BATCH_STATUSES, MAILING_SIZES, MAILING_TYPES } from "../options";
import { idField, listFields, PAGE_FIELDS, PAGE_QUERY } from "../paging";
import type { FormField, Preset } from "../types";

const ID = idField("Mailing ID", "From mailings/list.");

const TYPE: FormField = { name: "type", label: "Type", type: "select", options: MAILING_TYPES };

const TEST: FormField = {
  name: "test",
  label: "Test mode",
  type: "boolean",
  description: "On: you get a free sample. Off: real mail is sent.",
};

const BATCH = {
  id: "701",
  name: "Reminders",
  type: "postcard",
  status: "completed",
  items: "24",
  created: "2026-01-12 09:00:00",
};

/** Single pieces of any kind, and batches of them. */
export const MAILING_PRESETS: readonly Preset[] = [
  {
    id: "mailings.list",
    categoryId: "mailings",
    label: "List mailings",
    description: "Lists all kinds of mail, newest first.",
    method: "GET",
    path: "mailings/list",
    query: PAGE_QUERY,
    exampleResponse: { success: true, data: [EXAMPLE_POSTCARD] },
    formFields: [...PAGE_FIELDS, { ...TYPE, description: "Only mailings of this type." }],
    reference: {
      status: "unlisted",
      note: "The closest documented call is GET reporting/list/{start}/{end}, with dates as YYYY-MM-DD.",
    },
  },
  {
    id: "mailings.get",
    categoryId: "mailings",
    label: "Get mailing",
    description: "Shows one piece with address, status and cost.",
    method: "GET",
    path: "mailings/get/{id}",
    exampleResponse: { success: true, data: EXAMPLE_POSTCARD },
    formFields: [{ ...ID, placeholder: "16799901" }],
    reference: {
      status: "unlisted",
      note: "The documented calls are postcards/get/{id} and letters/get/{id}.",
    },
  },
  {
    id: "mailings.create",
    categoryId: "mailings",
    label: "Create mailing",
    description: "Sends a template as postcard, letter or flyer. In test mode you get a free sample.",
    method: "POST",
    path: "mailings/create",
    body: { test: true },
    exampleResponse: {
      success: true,
      data: {
        pdf: "https://api-us1.stannp.com/v1/storage/get/5f0c/sample.pdf",
        id: 0,
        created: "2026-01-15T10:30:00+00:00",
        format: "4x6",
        cost: "0.99",
        status: "test",
      },
    },
    formFields: [
      TEST,
      { ...TYPE, required: true, placeholder: "postcard" },
      {
        name: "size",
        label: "Size",
        type: "select",
        options: MAILING_SIZES,
        description: "In inches. Not for letters.",
      },
      {
        name: "template",
        label: "Template ID",
        type: "text",
        required: true,
        description: "From templates/list.",
      },
      {
        name: "recipient",
        label: "Recipient ID",
        type: "text",
        required: true,
        description: "From recipients/list.",
      },
      {
        name: "tags",
        label: "Tags",
        type: "text",
        placeholder: "spring,offer",
        description: "For reports. Separate tags with commas.",
      },
    ],
    reference: { status: "unlisted", note: "The documented calls are postcards/create and letters/create." },
  },
  {
    id: "mailings.cancel",
    categoryId: "mailings",
    label: "Cancel mailing",
    description: "Stops a piece before its production starts.",
    method: "POST",
    path: "mailings/cancel/{id}",
    exampleResponse: { success: true, data: 1 },
    formFields: [ID],
    reference: { status: "unlisted", note: "The documented calls are postcards/cancel and letters/cancel." },
  },
  {
    id: "mailings.events",
    categoryId: "mailings",
    label: "Mailing events",
    description: "Lists the events of one piece.",
    method: "GET",
    path: "mailings/events/{id}",
    exampleResponse: {
      success: true,
      data: [
        { mailpiece_id: 16799901, type: "received", created: "2026-01-08 11:02:33" },
        { mailpiece_id: 16799901, type: "producing", created: "2026-01-09 11:02:33" },
        { mailpiece_id: 16799901, type: "handed_over", created: "2026-01-10 11:02:33" },
      ],
    },
    formFields: [{ ...ID, placeholder: "16799901" }],
    reference: { status: "unlisted", note: "The provider reports events by webhook." },
  },
  {
    id: "batches.list",
    categoryId: "mailings",
    label: "List batches",
    description: "Lists batches with their progress.",
    method: "GET",
    path: "batches/list",
    query: PAGE_QUERY,
    exampleResponse: { success: true, data: [BATCH] },
    formFields: listFields("status", "Status", BATCH_STATUSES, "Only batches with this status."),
    reference: { status: "unlisted" },
  },
  {
    id: "batches.get",
    categoryId: "mailings",
    label: "Get batch",
    description: "Shows one batch with status and number of items.",
    method: "GET",
    path: "batches/get/{id}",
    exampleResponse: { success: true, data: BATCH },
    formFields: [idField("Batch ID", "From batches/list.", "701")],
    reference: { status: "unlisted" },
  },
  {
    id: "batches.create",
    categoryId: "mailings",
    label: "Create batch",
    description: "Creates a batch of mail from a template and a mailing list.",
    method: "POST",
    path: "batches/create",
    body: { test: true },
    exampleResponse: { success: true, data: { ...BATCH, id: "703", status: "pending", items: "0" } },
    formFields: [
      TEST,
      { name: "name", label: "Name", type: "text", required: true },
      { ...TYPE, required: true, placeholder: "postcard" },
      { name: "template", label: "Template ID", type: "text", placeholder: "21001" },
      { name: "list_id", label: "List ID", type: "text", placeholder: "311" },
    ],
    reference: {
      status: "unlisted",
      note: "letters/batch is no longer documented. Use a campaign to mail a whole group.",
    },
  },
];
