import { EXAMPLE_TEMPLATE } from "../example-rows";
import { buildPresets, filterField, getCall, idField, listCall, selectField, textField } from "../rows";

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
export const OBJECT_PRESETS = buildPresets("objects", [
  listCall("objects", OBJECT, {
    label: "List objects",
    description: "Lists the provider's data types with their fields.",
    filter: filterField(
      "type",
      "Type",
      ["mailpiece", "recipient", "group", "campaign", "template"],
      "Only objects of this type.",
    ),
    note: NO_OBJECTS,
  }),
  getCall("objects", OBJECT, {
    label: "Get object",
    description: "Shows the fields of one data type.",
    id: idField("Object ID", "From objects/list.", "2"),
    note: NO_OBJECTS,
  }),
  listCall("templates", EXAMPLE_TEMPLATE, {
    label: "List templates",
    description: "Lists designs from the provider's website with their template IDs.",
    page: "tools",
    filter: filterField("type", "Type", ["postcard", "letter"], "Only designs of this type."),
    documented: { path: "templates/list", formFields: [] },
    note: "The documented call has no parameters: page and type may have no effect.",
  }),
  getCall("templates", EXAMPLE_TEMPLATE, {
    label: "Get template",
    description: "Shows one design with size and number of pages.",
    id: idField("Template ID", "From templates/list.", "21001"),
    note: "templates/list returns the same values.",
  }),
  listCall("webhooks", WEBHOOK, {
    label: "List webhooks",
    description: "Lists the URLs that get the provider's events.",
    filter: filterField("status", "Status", ["active", "paused"], "Only webhooks with this status."),
    note: NO_WEBHOOKS,
  }),
  {
    label: "Create webhook",
    description: "Sends the provider's events to a URL of yours.",
    method: "POST",
    path: "webhooks/create",
    example: { ...WEBHOOK, id: "12" },
    formFields: [
      textField("url", "Your URL", {
        required: true,
        description: "A public https URL that answers with status 200.",
      }),
      selectField("event", "Event", ["mailpiece_status", "campaign_status", "recipient_events"], {
        required: true,
        placeholder: "mailpiece_status",
      }),
    ],
    note: NO_WEBHOOKS,
  },
  {
    label: "Delete webhook",
    description: "Stops sending events to one URL.",
    method: "POST",
    path: "webhooks/delete/{id}",
    example: true,
    formFields: [idField("Webhook ID", "From webhooks/list.")],
    note: NO_WEBHOOKS,
  },
]);
