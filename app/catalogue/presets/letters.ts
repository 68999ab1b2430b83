import { EXAMPLE_LETTER } from "../example-rows";
import { FORM_HEADERS } from "../form-encoding";
import { LETTER_FIELDS, LETTER_START } from "../letter-fields";
import { MAIL_STATUSES } from "../options";
import { PAGE_FIELDS, PAGE_QUERY } from "../paging";
import { REFERENCE_PAGES } from "../reference-pages";
import type { FormField, Preset } from "../types";

const ID: FormField = {
  name: "id",
  label: "Letter ID",
  type: "text",
  required: true,
  description: "From the response to letters/create. Test letters have no ID.",
};

/** Letters. */
export const LETTER_PRESETS: readonly Preset[] = [
  {
    id: "letters.list",
    categoryId: "letters",
    label: "List letters",
    description: "Lists letters with address, status and cost.",
    method: "GET",
    path: "letters/list",
    query: PAGE_QUERY,
    exampleResponse: { success: true, data: [EXAMPLE_LETTER] },
    formFields: [
      ...PAGE_FIELDS,
      {
        name: "status",
        label: "Status",
        type: "select",
        options: MAIL_STATUSES,
        description: "Only letters with this status.",
      },
    ],
    reference: {
      status: "unlisted",
      note: "The closest documented call is GET reporting/list/{start}/{end}, with dates as YYYY-MM-DD.",
    },
  },
  {
    id: "letters.get",
    categoryId: "letters",
    label: "Get letter",
    description: "Shows one letter with status, PDF, address and cost.",
    method: "GET",
    path: "letters/get/{id}",
    docsUrl: REFERENCE_PAGES.letters,
    exampleResponse: { success: true, data: EXAMPLE_LETTER },
    formFields: [{ ...ID, placeholder: "16799902" }],
    reference: { status: "documented" },
  },
  {
    id: "letters.create",
    categoryId: "letters",
    label: "Create letter",
    description: "Sends one letter. In test mode you get a free PDF instead.",
    method: "POST",
    path: "letters/create",
    body: LETTER_START,
    docsUrl: REFERENCE_PAGES.letters,
    exampleResponse: {
      success: true,
      data: {
        pdf: "https://api-us1.stannp.com/v1/storage/get/77b2/sample.pdf",
        id: 0,
        created: "2026-01-15 10:30:00",
        format: "US-LETTER",
        cost: "1.17",
        status: "test",
      },
    },
    formFields: LETTER_FIELDS,
    reference: {
      status: "documented",
      note: "Sends at once: there are no drafts. The provider ignores fields that it does not document.",
    },
  },
  {
    id: "letters.send",
    categoryId: "letters",
    label: "Send letter",
    description: "Queues a draft letter for printing.",
    method: "POST",
    path: "letters/send/{id}",
    exampleResponse: { success: true, data: { ...EXAMPLE_LETTER, status: "queued", dispatched: null } },
    formFields: [ID],
    reference: { status: "unlisted", note: "letters/create sends the letter at once: there are no drafts." },
  },
  {
    id: "letters.cancel",
    categoryId: "letters",
    label: "Cancel letter",
    description: "Stops a letter before its production starts.",
    method: "POST",
    path: "letters/cancel",
    headers: FORM_HEADERS,
    docsUrl: REFERENCE_PAGES.letters,
    exampleResponse: { success: true, data: 1 },
    formFields: [ID],
    reference: { status: "documented" },
  },
  {
    id: "letters.delete",
    categoryId: "letters",
    label: "Delete letter",
    description: "Deletes a letter that was never sent.",
    method: "POST",
    path: "letters/delete/{id}",
    exampleResponse: { success: true, data: 1 },
    formFields: [ID],
    reference: { status: "unlisted", note: "The documented call is letters/cancel." },
  },
];
