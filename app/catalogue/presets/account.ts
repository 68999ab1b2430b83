import {
  ARTWORK,
  buildPresets,
  call,
  fileField,
  filterField,
  getCall,
  idField,
  listCall,
  selectField,
  textField,
} from "../rows";

const WHO_IS_THIS = {
  account_id: "4817",
  user_id: "9120",
  email: "mail.operator@example.com",
  first_name: "Maren",
  last_name: "Okafor",
};

export const KEY_PRESETS = buildPresets("authentication", [
  call("GET", "users/me", {
    label: "Check the key",
    description: "Shows which account and user the server's key belongs to.",
    page: "guide",
    example: WHO_IS_THIS,
    documented: true,
    note: "Older pages call it user/info.",
  }),
]);

export const ACCOUNT_PRESETS = buildPresets("account", [
  call("GET", "account", {
    label: "Account details",
    description: "Shows the account and the owner of the server's key.",
    page: "guide",
    example: WHO_IS_THIS,
    documented: { path: "users/me" },
  }),
  call("GET", "account/balance", {
    label: "Account balance",
    description: "Shows the money left with the provider, in the account's currency.",
    example: { balance: "2418.6600" },
    documented: { path: "accounts/balance" },
    note: "The documented path is accounts/balance.",
  }),
  call("GET", "account/usage", {
    label: "Account usage",
    description: "Counts the account's mail and recipients.",
    example: { postcards: 214, letters: 96, recipients: 1320 },
    note: "The closest documented call is reporting/summary, for a range of dates.",
  }),
  call("GET", "account/settings", {
    label: "Account settings",
    description: "Shows the account's defaults, such as country and postcard size.",
    example: { country: "US", timezone: "UTC", default_size: "4x6", clearzone: true },
    note: "Settings are on the provider's website.",
  }),
  call("GET", "account/credits", {
    label: "Provider credits",
    description: "Shows the provider's credit, which is separate from the credits in this console.",
    example: { credits: "2418.6600" },
    note: "The closest documented call is accounts/balance.",
  }),
  call("GET", "account/pricing", {
    label: "Price list",
    description: "Lists the price of each kind of piece.",
    example: [
      { type: "postcard", size: "4x6", cost: "0.99" },
      { type: "postcard", size: "6x9", cost: "1.29" },
      { type: "letter", size: "US-LETTER", cost: "1.17" },
    ],
    note: "The response to a test postcard or letter shows its price.",
  }),
]);

const FILE_ID = idField("File ID", "From the response to files/upload.");

const FILE = {
  id: "335",
  name: "spring-front.pdf",
  folder: "41",
  type: "application/pdf",
  size: "482113",
  created: "2026-01-03 09:15:00",
};

/** Artwork kept with the provider. */
export const FILE_PRESETS = buildPresets("files", [
  listCall("files", FILE, {
    label: "List files",
    description: "Lists the uploaded artwork.",
    filter: filterField(
      "type",
      "Type",
      ["application/pdf", "image/jpeg", "image/png"],
      "Only files of this type.",
    ),
    note: "The closest documented call is GET files/folders.",
  }),
  getCall("files", FILE, {
    label: "Get file",
    description: "Shows the details of one uploaded file.",
    id: { ...FILE_ID, placeholder: "335" },
  }),
  call("POST", "files/upload", {
    label: "Upload file",
    description: "Uploads artwork to the account and returns its ID.",
    example: { id: "342" },
    fields: [
      fileField("file", "File", ARTWORK, { required: true, description: "Sent as base64." }),
      textField("folder", "Folder ID", {
        placeholder: "41",
        description: "Target folder, from files/folders.",
      }),
    ],
    documented: true,
    note: "Documented are a binary file or a URL. Base64 is documented only for artwork in other calls.",
  }),
  call("POST", "files/delete/{id}", {
    label: "Delete file",
    description: "Permanently deletes an uploaded file.",
    example: true,
    fields: [FILE_ID],
  }),
]);

const EXAMPLE_TEMPLATE = {
  id: "21001",
  account_id: "4817",
  template_name: "Spring offer",
  image: "",
  created: "2026-01-02 14:05:00",
  updated: "2026-01-03 09:40:00",
  size: "4X6",
  page_count: "2",
  duplex: "1",
  back_image: "",
  template: "",
  is_public: "0",
  is_template: "1",
  version: "1",
  is_hidden: "0",
  shared: "0",
  user_id: "9120",
  tags: "offer,spring",
  versions: "1",
};

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
    documented: { path: "templates/list", fields: [] },
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
  call("POST", "webhooks/create", {
    label: "Create webhook",
    description: "Sends the provider's events to a URL of yours.",
    example: { ...WEBHOOK, id: "12" },
    fields: [
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
  }),
  call("POST", "webhooks/delete/{id}", {
    label: "Delete webhook",
    description: "Stops sending events to one URL.",
    example: true,
    fields: [idField("Webhook ID", "From webhooks/list.")],
    note: NO_WEBHOOKS,
  }),
]);
