import { EXAMPLE_POSTCARD } from "../example-rows";
import { FORM_HEADERS } from "../form-encoding";
import { MAIL_STATUSES } from "../options";
import { PAGE_FIELDS, PAGE_QUERY } from "../paging";
import { POSTCARD_FIELDS, POSTCARD_START } from "../postcard-fields";
import { REFERENCE_PAGES } from "../reference-pages";
import type { FormField, Preset } from "../types";

const ID: FormField = {
  name: "id",
  label: "Postcard ID",
  type: "text",
  required: true,
  description: "From the response to postcards/create. Test postcards have no ID.",
};

/** Postcards. */
export const POSTCARD_PRESETS: readonly Preset[] = [
  {
    id: "postcards.list",
    categoryId: "postcards",
    label: "List postcards",
    description: "Lists postcards with address, status and cost.",
    method: "GET",
    path: "postcards/list",
    query: PAGE_QUERY,
    exampleResponse: { success: true, data: [EXAMPLE_POSTCARD] },
    formFields: [
      ...PAGE_FIELDS,
      {
        name: "status",
        label: "Status",
        type: "select",
        options: MAIL_STATUSES,
        description: "Only postcards with this status.",
      },
    ],
    reference: {
      status: "unlisted",
      note: "The closest documented call is GET reporting/list/{start}/{end}, with dates as YYYY-MM-DD.",
    },
  },
  {
    id: "postcards.get",
    categoryId: "postcards",
    label: "Get postcard",
    description: "Shows one postcard with status, PDF, address and cost.",
    method: "GET",
    path: "postcards/get/{id}",
    docsUrl: REFERENCE_PAGES.postcards,
    exampleResponse: { success: true, data: EXAMPLE_POSTCARD },
    formFields: [{ ...ID, placeholder: "16799901" }],
    reference: { status: "documented" },
  },
  {
    id: "postcards.create",
    categoryId: "postcards",
    label: "Create postcard",
    description: "Sends one postcard. In test mode you get a free PDF instead.",
    method: "POST",
    path: "postcards/create",
    body: POSTCARD_START,
    docsUrl: REFERENCE_PAGES.postcards,
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
    formFields: POSTCARD_FIELDS,
    reference: {
      status: "documented",
      note: "Sends at once: there are no drafts. The provider ignores fields that it does not document.",
    },
  },
  {
    id: "postcards.send",
    categoryId: "postcards",
    label: "Send postcard",
    description: "Queues a draft postcard for printing.",
    method: "POST",
    path: "postcards/send/{id}",
    exampleResponse: { success: true, data: { ...EXAMPLE_POSTCARD, status: "queued", dispatched: null } },
    formFields: [ID],
    reference: {
      status: "unlisted",
      note: "postcards/create sends the postcard at once: there are no drafts.",
    },
  },
  {
    id: "postcards.cancel",
    categoryId: "postcards",
    label: "Cancel postcard",
    description: "Stops a postcard before its production starts.",
    method: "POST",
    path: "postcards/cancel",
    headers: FORM_HEADERS,
    docsUrl: REFERENCE_PAGES.postcards,
    exampleResponse: { success: true, data: 1 },
    formFields: [ID],
    reference: { status: "documented" },
  },
  {
    id: "postcards.delete",
    categoryId: "postcards",
    label: "Delete postcard",
    description: "Deletes a postcard that was never sent.",
    method: "POST",
    path: "postcards/delete/{id}",
    exampleResponse: { success: true, data: 1 },
    formFields: [ID],
    reference: { status: "unlisted", note: "The documented call is postcards/cancel." },
  },
];
