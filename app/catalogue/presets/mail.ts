import { EXAMPLE_LETTER, EXAMPLE_POSTCARD } from "../example-rows";
import { FORM_HEADERS } from "../form-encoding";
import { LETTER_FIELDS, LETTER_START } from "../letter-fields";
import { MAIL_STATUSES } from "../options";
import { idField, listFields, PAGE_QUERY } from "../paging";
import { POSTCARD_FIELDS, POSTCARD_START } from "../postcard-fields";
import { REFERENCE_PAGES } from "../reference-pages";
import type { FormField, Preset } from "../types";

interface Mail {
  type: "letter" | "postcard";
  fields: readonly FormField[];
  start: Preset["body"] & object;
  example: typeof EXAMPLE_LETTER | typeof EXAMPLE_POSTCARD;
  /** The part of a test's answer that differs. */
  test: { pdf: string; created: string; format: string; cost: string };
}

export const POSTCARD_PRESETS = buildPresets({
  type: "postcard",
  fields: POSTCARD_FIELDS,
  start: POSTCARD_START,
  example: EXAMPLE_POSTCARD,
  test: {
    pdf: "https://api-us1.stannp.com/v1/storage/get/5f0c/sample.pdf",
    created: "2026-01-15T10:30:00+00:00",
    format: "4x6",
    cost: "0.99",
  },
});

export const LETTER_PRESETS = buildPresets({
  type: "letter",
  fields: LETTER_FIELDS,
  start: LETTER_START,
  example: EXAMPLE_LETTER,
  test: {
    pdf: "https://api-us1.stannp.com/v1/storage/get/77b2/sample.pdf",
    created: "2026-01-15 10:30:00",
    format: "US-LETTER",
    cost: "1.17",
  },
});

/** Builds the presets that letters and postcards both have. */
function buildPresets({ type, fields, start, example, test }: Mail): readonly Preset[] {
  const room = `${type}s` as const;
  const { pdf, ...printed } = test;
  const docsUrl = REFERENCE_PAGES[room];
  const label = type === "letter" ? "Letter" : "Postcard";
  const id = idField(`${label} ID`, `From the response to ${room}/create. Test ${room} have no ID.`);
  return [
    {
      id: `${room}.list`,
      categoryId: room,
      label: `List ${room}`,
      description: `Lists ${room} with address, status and cost.`,
      method: "GET",
      path: `${room}/list`,
      query: PAGE_QUERY,
      exampleResponse: { success: true, data: [example] },
      formFields: listFields("status", "Status", MAIL_STATUSES, `Only ${room} with this status.`),
      reference: {
        status: "unlisted",
        note: "The closest documented call is GET reporting/list/{start}/{end}, with dates as YYYY-MM-DD.",
      },
    },
    {
      id: `${room}.get`,
      categoryId: room,
      label: `Get ${type}`,
      description: `Shows one ${type} with status, PDF, address and cost.`,
      method: "GET",
      path: `${room}/get/{id}`,
      docsUrl,
      exampleResponse: { success: true, data: example },
      formFields: [{ ...id, placeholder: String(example.id) }],
      reference: { status: "documented" },
    },
    {
      id: `${room}.create`,
      categoryId: room,
      label: `Create ${type}`,
      description: `Sends one ${type}. In test mode you get a free PDF instead.`,
      method: "POST",
      path: `${room}/create`,
      body: start,
      docsUrl,
      exampleResponse: { success: true, data: { pdf, id: 0, ...printed, status: "test" } },
      formFields: fields,
      reference: {
        status: "documented",
        note: "Sends at once: there are no drafts. The provider ignores fields that it does not document.",
      },
    },
    {
      id: `${room}.send`,
      categoryId: room,
      label: `Send ${type}`,
      description: `Queues a draft ${type} for printing.`,
      method: "POST",
      path: `${room}/send/{id}`,
      exampleResponse: { success: true, data: { ...example, status: "queued", dispatched: null } },
      formFields: [id],
      reference: {
        status: "unlisted",
        note: `${room}/create sends the ${type} at once: there are no drafts.`,
      },
    },
    {
      id: `${room}.cancel`,
      categoryId: room,
      label: `Cancel ${type}`,
      description: `Stops a ${type} before its production starts.`,
      method: "POST",
      path: `${room}/cancel`,
      headers: FORM_HEADERS,
      docsUrl,
      exampleResponse: { success: true, data: 1 },
      formFields: [id],
      reference: { status: "documented" },
    },
    {
      id: `${room}.delete`,
      categoryId: room,
      label: `Delete ${type}`,
      description: `Deletes a ${type} that was never sent.`,
      method: "POST",
      path: `${room}/delete/{id}`,
      exampleResponse: { success: true, data: 1 },
      formFields: [id],
      reference: { status: "unlisted", note: `The documented call is ${room}/cancel.` },
    },
  ];
}
