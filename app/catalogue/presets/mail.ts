import { EXAMPLE_LETTER, EXAMPLE_POSTCARD, TEST_LETTER, TEST_POSTCARD } from "../example-rows";
import { LETTER_FIELDS, LETTER_START, POSTCARD_FIELDS, POSTCARD_START } from "../mail-fields";
import { MAIL_STATUSES } from "../options";
import { buildPresets, FORM_HEADERS, filterField, getCall, idField, listCall } from "../rows";
import type { FormField, Preset } from "../types";

interface Mail {
  type: "letter" | "postcard";
  fields: readonly FormField[];
  start: Preset["body"] & object;
  example: typeof EXAMPLE_LETTER | typeof EXAMPLE_POSTCARD;
  /** The answer in test mode. */
  test: typeof TEST_POSTCARD;
}

export const POSTCARD_PRESETS = buildMail({
  type: "postcard",
  fields: POSTCARD_FIELDS,
  start: POSTCARD_START,
  example: EXAMPLE_POSTCARD,
  test: TEST_POSTCARD,
});

export const LETTER_PRESETS = buildMail({
  type: "letter",
  fields: LETTER_FIELDS,
  start: LETTER_START,
  example: EXAMPLE_LETTER,
  test: TEST_LETTER,
});

/** Builds the presets that letters and postcards both have. */
function buildMail({ type, fields, start, example, test }: Mail): readonly Preset[] {
  const room = `${type}s` as const;
  const label = type === "letter" ? "Letter" : "Postcard";
  const id = idField(`${label} ID`, `From the response to ${room}/create. Test ${room} have no ID.`);
  return buildPresets(room, [
    listCall(room, example, {
      label: `List ${room}`,
      description: `Lists ${room} with address, status and cost.`,
      filter: filterField("status", "Status", MAIL_STATUSES, `Only ${room} with this status.`),
      note: "The closest documented call is GET reporting/list/{start}/{end}, with dates as YYYY-MM-DD.",
    }),
    getCall(room, example, {
      label: `Get ${type}`,
      description: `Shows one ${type} with status, PDF, address and cost.`,
      id: { ...id, placeholder: String(example.id) },
      documented: true,
    }),
    {
      label: `Create ${type}`,
      description: `Sends one ${type}. In test mode you get a free PDF instead.`,
      method: "POST",
      path: `${room}/create`,
      body: start,
      example: test,
      formFields: fields,
      documented: true,
      note: "Sends at once: there are no drafts. The provider ignores fields that it does not document.",
    },
    {
      label: `Send ${type}`,
      description: `Queues a draft ${type} for printing.`,
      method: "POST",
      path: `${room}/send/{id}`,
      example: { ...example, status: "queued", dispatched: null },
      formFields: [id],
      note: `${room}/create sends the ${type} at once: there are no drafts.`,
    },
    {
      label: `Cancel ${type}`,
      description: `Stops a ${type} before its production starts.`,
      method: "POST",
      path: `${room}/cancel`,
      headers: FORM_HEADERS,
      example: 1,
      formFields: [id],
      documented: true,
    },
    {
      label: `Delete ${type}`,
      description: `Deletes a ${type} that was never sent.`,
      method: "POST",
      path: `${room}/delete/{id}`,
      example: 1,
      formFields: [id],
      note: `The documented call is ${room}/cancel.`,
    },
  ]);
}
