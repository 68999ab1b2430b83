import { LETTER_FIELDS, LETTER_START, POSTCARD_FIELDS, POSTCARD_START } from "../mail-fields";
import { buildPresets, call, FORM_HEADERS, filterField, getCall, idField, listCall } from "../rows";
import type { FormField, Preset } from "../types";

export const EXAMPLE_POSTCARD = {
  id: 16799901,
  timestamp: "2026-01-08 11:02:33",
  status: "delivered",
  type: "postcard",
  format: "4x6",
  pdf_file: "https://api-us1.stannp.com/v1/storage/get/5f0c/16799901.pdf",
  dispatched: "2026-01-10 06:00:00",
  country: "US",
  cost: 0.99,
  addons: "",
  tags: "spring,offer",
  template_id: 21001,
  campaign_id: 0,
  recipient_id: 1001,
  firstname: "Amelia",
  lastname: "Hartwell",
  address1: "12 Elm Street",
  address2: "Unit 1",
  address3: "",
  city: "Portland",
  county: "OR",
  postcode: "97205",
  tracking_ref: null,
  transactional: 0,
  class: 0,
  updated: "2026-01-14 17:30:00",
  mailpiece_id: 16799901,
  tracking: [],
};

const EXAMPLE_LETTER = {
  ...EXAMPLE_POSTCARD,
  id: 16799902,
  account_id: 4817,
  type: "letter",
  format: "US-LETTER",
  pdf_file: "https://api-us1.stannp.com/v1/storage/get/77b2/16799902.pdf",
  cost: 1.17,
  tags: "billing",
  template_id: 21005,
  mailpiece_id: 16799902,
};

/** The answer to a postcard in test mode. */
export const TEST_POSTCARD = {
  pdf: "https://api-us1.stannp.com/v1/storage/get/5f0c/sample.pdf",
  id: 0,
  created: "2026-01-15T10:30:00+00:00",
  format: "4x6",
  cost: "0.99",
  status: "test",
};

const TEST_LETTER = {
  ...TEST_POSTCARD,
  pdf: "https://api-us1.stannp.com/v1/storage/get/77b2/sample.pdf",
  created: "2026-01-15 10:30:00",
  format: "US-LETTER",
  cost: "1.17",
};

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
      filter: filterField(
        "status",
        "Status",
        ["draft", "queued", "sent", "delivered", "cancelled", "returned", "failed"],
        `Only ${room} with this status.`,
      ),
      note: "The closest documented call is GET reporting/list/{start}/{end}, with dates as YYYY-MM-DD.",
    }),
    getCall(room, example, {
      label: `Get ${type}`,
      description: `Shows one ${type} with status, PDF, address and cost.`,
      id: { ...id, placeholder: String(example.id) },
      documented: true,
    }),
    call("POST", `${room}/create`, {
      label: `Create ${type}`,
      description: `Sends one ${type}. In test mode you get a free PDF instead.`,
      body: start,
      example: test,
      fields,
      documented: true,
      note: "Sends at once: there are no drafts. The provider ignores fields that it does not document.",
    }),
    call("POST", `${room}/send/{id}`, {
      label: `Send ${type}`,
      description: `Queues a draft ${type} for printing.`,
      example: { ...example, status: "queued", dispatched: null },
      fields: [id],
      note: `${room}/create sends the ${type} at once: there are no drafts.`,
    }),
    call("POST", `${room}/cancel`, {
      label: `Cancel ${type}`,
      description: `Stops a ${type} before its production starts.`,
      headers: FORM_HEADERS,
      example: 1,
      fields: [id],
      documented: true,
    }),
    call("POST", `${room}/delete/{id}`, {
      label: `Delete ${type}`,
      description: `Deletes a ${type} that was never sent.`,
      example: 1,
      fields: [id],
      note: `The documented call is ${room}/cancel.`,
    }),
  ]);
}
