import { EXAMPLE_TEMPLATE } from "../example-rows";
import { idField, listFields, PAGE_QUERY } from "../paging";
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

const NO_OBJECTS = "The docs describe objects as data models. There is no call for them.";
const NO_WEBHOOKS = "Webhooks are managed in the account settings on the provider's website.";

/** Data models, templates and webhooks of the account. */
export const OBJECT_PRESETS: readonly Preset[] = [
  {
    id: "objects.list",
    categoryId: "objects",
    label: "List objects",
    description: "Lists the provider's data types with their fields.",
    method: "GET",
    path: "objects/list",
    query: PAGE_QUERY,
    exampleResponse: { success: true, data: [OBJECT] },
    formFields: listFields(
      "type",
      "Type",
      ["mailpiece", "recipient", "group", "campaign", "template"],
      "Only objects of this type.",
    ),
    reference: { status: "unlisted", note: NO_OBJECTS },
  },
  {
    id: "objects.get",
    categoryId: "objects",
    label: "Get object",
    description: "Shows the fields of one data type.",
    method: "GET",
    path: "objects/get/{id}",
    exampleResponse: { success: true, data: OBJECT },
    formFields: [idField("Object ID", "From objects/list.", "2")],
    reference: { status: "unlisted", note: NO_OBJECTS },
  },
  {
    id: "templates.list",
    categoryId: "objects",
    label: "List templates",
    description: "Lists designs from the provider's website with their template IDs.",
    method: "GET",
    path: "templates/list",
    query: PAGE_QUERY,
    docsUrl: REFERENCE_PAGES.tools,
    exampleResponse: { success: true, data: [EXAMPLE_TEMPLATE] },
    formFields: listFields("type", "Type", ["postcard", "letter"], "Only designs of this type."),
    reference: {
      status: "documented",
      documented: { method: "GET", path: "templates/list", formFields: [] },
      note: "The documented call has no parameters: page and type may have no effect.",
    },
  },
  {
    id: "templates.get",
    categoryId: "objects",
    label: "Get template",
    description: "Shows one design with size and number of pages.",
    method: "GET",
    path: "templates/get/{id}",
    exampleResponse: { success: true, data: EXAMPLE_TEMPLATE },
    formFields: [idField("Template ID", "From templates/list.", "21001")],
    reference: { status: "unlisted", note: "templates/list returns the same values." },
  },
  {
    id: "webhooks.list",
    categoryId: "objects",
    label: "List webhooks",
    description: "Lists the URLs that get the provider's events.",
    method: "GET",
    path: "webhooks/list",
    query: PAGE_QUERY,
    exampleResponse: { success: true, data: [WEBHOOK] },
    formFields: listFields("status", "Status", ["active", "paused"], "Only webhooks with this status."),
    reference: { status: "unlisted", note: NO_WEBHOOKS },
  },
  {
    id: "webhooks.create",
    categoryId: "objects",
    label: "Create webhook",
    description: "Sends the provider's events to a URL of yours.",
    method: "POST",
    path: "webhooks/create",
    exampleResponse: { success: true, data: { ...WEBHOOK, id: "12" } },
    formFields: [
      {
        name: "url",
        label: "Your URL",
        type: "text",
        required: true,
        description: "A public https URL that answers with status 200.",
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
    description: "Stops sending events to one URL.",
    method: "POST",
    path: "webhooks/delete/{id}",
    exampleResponse: { success: true, data: true },
    formFields: [idField("Webhook ID", "From webhooks/list.")],
    reference: { status: "unlisted", note: NO_WEBHOOKS },
  },
];
