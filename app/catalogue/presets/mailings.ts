import { EXAMPLE_POSTCARD } from "../example-rows";
import { BATCH_STATUSES, MAILING_SIZES, MAILING_TYPES } from "../options";
import { PAGE_FIELDS, PAGE_QUERY } from "../paging";
import type { FormField, Preset } from "../types";

const ID: FormField = {
  name: "id",
  label: "Mailing ID",
  type: "text",
  required: true,
  description: "As mailings/list shows it.",
};

const TYPE: FormField = { name: "type", label: "Type", type: "select", options: MAILING_TYPES };

const TEST: FormField = {
  name: "test",
  label: "Test mode",
  type: "boolean",
  description: "Makes a sample only: nothing is posted or charged. Unticked it is real mail.",
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
    description: "Lists what was mailed, whatever its kind, the newest first.",
    method: "GET",
    path: "mailings/list",
    query: PAGE_QUERY,
    exampleResponse: { success: true, data: [EXAMPLE_POSTCARD] },
    formFields: [...PAGE_FIELDS, { ...TYPE, description: "Only mailings of this kind." }],
    reference: {
      status: "unlisted",
      note: "The nearest documented call is GET reporting/list/{start}/{end}, with dates as YYYY-MM-DD.",
    },
  },
  {
    id: "mailings.get",
    categoryId: "mailings",
    label: "Get mailing",
    description: "Reads one piece of mail with address, status and cost.",
    method: "GET",
    path: "mailings/get/{id}",
    exampleResponse: { success: true, data: EXAMPLE_POSTCARD },
    formFields: [{ ...ID, placeholder: "16799901" }],
    reference: { status: "unlisted", note: "Documented are postcards/get/{id} and letters/get/{id}." },
  },
  {
    id: "mailings.create",
    categoryId: "mailings",
    label: "Create mailing",
    description: "Mails a template to a recipient as postcard, letter or flyer; a sample only in test mode.",
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
        description: "In inches; leave it out for a letter.",
      },
      {
        name: "template",
        label: "Template ID",
        type: "text",
        required: true,
        description: "A design from templates/list.",
      },
      {
        name: "recipient",
        label: "Recipient ID",
        type: "text",
        required: true,
        description: "A recipient from recipients/list.",
      },
      {
        name: "tags",
        label: "Tags",
        type: "text",
        placeholder: "spring,offer",
        description: "Words to find it by, with commas between them.",
      },
    ],
    reference: { status: "unlisted", note: "Documented are postcards/create and letters/create." },
  },
  {
    id: "mailings.cancel",
    categoryId: "mailings",
    label: "Cancel mailing",
    description: "Stops a piece of mail whose production has not started.",
    method: "POST",
    path: "mailings/cancel/{id}",
    exampleResponse: { success: true, data: 1 },
    formFields: [ID],
    reference: { status: "unlisted", note: "Documented are postcards/cancel and letters/cancel." },
  },
  {
    id: "mailings.events",
    categoryId: "mailings",
    label: "Mailing events",
    description: "Tells what happened to one piece of mail, step by step.",
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
    reference: { status: "unlisted", note: "The provider reports such steps by webhook." },
  },
  {
    id: "batches.list",
    categoryId: "mailings",
    label: "List batches",
    description: "Lists the batches with how far each has come.",
    method: "GET",
    path: "batches/list",
    query: PAGE_QUERY,
    exampleResponse: { success: true, data: [BATCH] },
    formFields: [
      ...PAGE_FIELDS,
      {
        name: "status",
        label: "Status",
        type: "select",
        options: BATCH_STATUSES,
        description: "Only batches in this state.",
      },
    ],
    reference: { status: "unlisted" },
  },
  {
    id: "batches.get",
    categoryId: "mailings",
    label: "Get batch",
    description: "Reads one batch with its state and number of items.",
    method: "GET",
    path: "batches/get/{id}",
    exampleResponse: { success: true, data: BATCH },
    formFields: [
      {
        name: "id",
        label: "Batch ID",
        type: "text",
        required: true,
        placeholder: "701",
        description: "As batches/list shows it.",
      },
    ],
    reference: { status: "unlisted" },
  },
  {
    id: "batches.create",
    categoryId: "mailings",
    label: "Create batch",
    description: "Opens a batch of one kind of mail, made from a template for a mailing list.",
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
      note: "Older clients know a letters/batch, which has left the reference; campaigns mail a whole group.",
    },
  },
];
