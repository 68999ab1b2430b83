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
  description: "As the answer to postcards/create has it; a test postcard has none of its own.",
};

/** Postcards. */
export const POSTCARD_PRESETS: readonly Preset[] = [
  {
    id: "postcards.list",
    categoryId: "postcards",
    label: "List postcards",
    description: "Lists the account's postcards with address, status and cost.",
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
        description: "Only postcards in this state.",
      },
    ],
    reference: {
      status: "unlisted",
      note: "The nearest documented call is GET reporting/list/{start}/{end}, with dates as YYYY-MM-DD.",
    },
  },
  {
    id: "postcards.get",
    categoryId: "postcards",
    label: "Get postcard",
    description: "Reads one postcard with its status, proof, address and cost.",
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
    description: "Prints and posts one postcard, or makes a free sample PDF of it in test mode.",
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
      note: "Creating sends it, there is no draft. font, font_size, font_colour, campaign_id and the add-ons other than FIRST_CLASS are not in the reference, and the provider drops what it does not know without a word; variables go out among a new recipient's details.",
    },
  },
  {
    id: "postcards.send",
    categoryId: "postcards",
    label: "Send postcard",
    description: "Puts a drafted postcard in the queue for printing.",
    method: "POST",
    path: "postcards/send/{id}",
    exampleResponse: { success: true, data: { ...EXAMPLE_POSTCARD, status: "queued", dispatched: null } },
    formFields: [ID],
    reference: {
      status: "unlisted",
      note: "With the documented calls postcards/create has sent it already.",
    },
  },
  {
    id: "postcards.cancel",
    categoryId: "postcards",
    label: "Cancel postcard",
    description: "Stops a postcard whose production has not started. The id goes out as a form field.",
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
    description: "Removes a postcard that was never sent from the account's lists.",
    method: "POST",
    path: "postcards/delete/{id}",
    exampleResponse: { success: true, data: 1 },
    formFields: [ID],
    reference: { status: "unlisted", note: "The documented way to stop a postcard is postcards/cancel." },
  },
];
