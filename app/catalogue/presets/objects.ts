import { EXAMPLE_TEMPLATE } from "../example-rows";
import { PAGE_FIELDS, PAGE_QUERY } from "../paging";
import { REFERENCE_PAGES } from "../reference-pages";
import type { Preset } from "../types";

const OBJECT = {
  id: "2",
  name: "recipient",
  fields: ["id", "firstname", "lastname", "address1", "city", "postcode"],
};

const WEBHOOK = {
  id: "11",
  url: "https://hooks.example.com/mail",
  event: "mailpiece_status",
  status: "active",
  created: "2026-01-02 08:00:00",
};

const NO_OBJECTS = "Objects are a page about data models in the reference, not a call.";
const NO_WEBHOOKS = "Webhooks are kept in the account settings on the provider's website.";

/** What the account holds besides mail and people: data models, templates, webhooks. */
export const OBJECT_PRESETS: readonly Preset[] = [
  {
    id: "objects.list",
    categoryId: "objects",
    label: "List objects",
    description: "Lists the kinds of data the provider keeps, with their fields.",
    method: "GET",
    path: "objects/list",
    query: PAGE_QUERY,
    exampleResponse: { success: true, data: [OBJECT] },
    formFields: [
      ...PAGE_FIELDS,
      {
        name: "type",
        label: "Type",
        type: "select",
        options: ["mailpiece", "recipient", "group", "campaign", "template"],
        description: "Only objects of this kind.",
      },
    ],
    reference: { status: "unlisted", note: NO_OBJECTS },
  },
  {
    id: "objects.get",
    categoryId: "objects",
    label: "Get object",
    description: "Reads the fields of one kind of data.",
    method: "GET",
    path: "objects/get/{id}",
    exampleResponse: { success: true, data: OBJECT },
    formFields: [
      {
        name: "id",
        label: "Object ID",
        type: "text",
        required: true,
        placeholder: "2",
        description: "As objects/list shows it.",
      },
    ],
    reference: { status: "unlisted", note: NO_OBJECTS },
  },
  {
    id: "templates.list",
    categoryId: "objects",
    label: "List templates",
    description: "Lists the designs made on the provider's website, with the IDs that mail is made from.",
    method: "GET",
    path: "templates/list",
    query: PAGE_QUERY,
    docsUrl: REFERENCE_PAGES.tools,
    exampleResponse: { success: true, data: [EXAMPLE_TEMPLATE] },
    formFields: [
      ...PAGE_FIELDS,
      {
        name: "type",
        label: "Type",
        type: "select",
        options: ["postcard", "letter"],
        description: "Only designs for this kind of mail.",
      },
    ],
    reference: {
      status: "documented",
      documented: { method: "GET", path: "templates/list", formFields: [] },
      note: "The reference names no parameters here: expect page and type to have no effect.",
    },
  },
  {
    id: "templates.get",
    categoryId: "objects",
    label: "Get template",
    description: "Reads one design with its size and number of pages.",
    method: "GET",
    path: "templates/get/{id}",
    exampleResponse: { success: true, data: EXAMPLE_TEMPLATE },
    formFields: [
      {
        name: "id",
        label: "Template ID",
        type: "text",
        required: true,
        placeholder: "21001",
        description: "As templates/list shows it.",
      },
    ],
    reference: { status: "unlisted", note: "The documented templates/list has the same values." },
  },
  {
    id: "webhooks.list",
    categoryId: "objects",
    label: "List webhooks",
    description: "Lists the addresses that the provider reports changes to.",
    method: "GET",
    path: "webhooks/list",
    query: PAGE_QUERY,
    exampleResponse: { success: true, data: [WEBHOOK] },
    formFields: [
      ...PAGE_FIELDS,
      {
        name: "status",
        label: "Status",
        type: "select",
        options: ["active", "paused"],
        description: "Only webhooks in this state.",
      },
    ],
    reference: { status: "unlisted", note: NO_WEBHOOKS },
  },
  {
    id: "webhooks.create",
    categoryId: "objects",
    label: "Create webhook",
    description: "Has the provider report changes to an address of yours.",
    method: "POST",
    path: "webhooks/create",
    exampleResponse: { success: true, data: { ...WEBHOOK, id: "12" } },
    formFields: [
      {
        name: "url",
        label: "Your address",
        type: "text",
        required: true,
        description: "A public https address that answers 200.",
      },
      {
        name: "event",
        label: "Event",
        type: "select",
        required: true,
        placeholder: "mailpiece_status",
        options: ["mailpiece_status", "campaign_status", "recipient_events"],
      },
    ],
    reference: { status: "unlisted", note: NO_WEBHOOKS },
  },
  {
    id: "webhooks.delete",
    categoryId: "objects",
    label: "Delete webhook",
    description: "Stops the reports to one address.",
    method: "POST",
    path: "webhooks/delete/{id}",
    exampleResponse: { success: true, data: true },
    formFields: [
      {
        name: "id",
        label: "Webhook ID",
        type: "text",
        required: true,
        description: "As webhooks/list shows it.",
      },
    ],
    reference: { status: "unlisted", note: NO_WEBHOOKS },
  },
];
