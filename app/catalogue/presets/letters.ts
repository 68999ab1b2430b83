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
  description: "As the answer to letters/create has it; a test letter has none of its own.",
};

/** Letters. */
export const LETTER_PRESETS: readonly Preset[] = [
  {
    id: "letters.list",
    categoryId: "letters",
    label: "List letters",
    description: "Lists the account's letters with address, status and cost.",
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
        description: "Only letters in this state.",
      },
    ],
    reference: {
      status: "unlisted",
      note: "The nearest documented call is GET reporting/list/{start}/{end}, with dates as YYYY-MM-DD.",
    },
  },
  {
    id: "letters.get",
    categoryId: "letters",
    label: "Get letter",
    description: "Reads one letter with its status, proof, address and cost.",
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
    description: "Prints and posts one letter, or makes a free sample PDF of it in test mode.",
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
      note: "Creating sends it, there is no draft. In the reference pages is the letter's text and never a number; content, colour, paper_type, envelope_type and the add-ons other than FIRST_CLASS are not in it, and the provider drops what it does not know without a word; variables go out among a new recipient's details.",
    },
  },
  {
    id: "letters.send",
    categoryId: "letters",
    label: "Send letter",
    description: "Puts a drafted letter in the queue for printing.",
    method: "POST",
    path: "letters/send/{id}",
    exampleResponse: { success: true, data: { ...EXAMPLE_LETTER, status: "queued", dispatched: null } },
    formFields: [ID],
    reference: { status: "unlisted", note: "With the documented calls letters/create has sent it already." },
  },
  {
    id: "letters.cancel",
    categoryId: "letters",
    label: "Cancel letter",
    description: "Stops a letter whose production has not started. The id goes out as a form field.",
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
    description: "Removes a letter that was never sent from the account's lists.",
    method: "POST",
    path: "letters/delete/{id}",
    exampleResponse: { success: true, data: 1 },
    formFields: [ID],
    reference: { status: "unlisted", note: "The documented way to stop a letter is letters/cancel." },
  },
];
