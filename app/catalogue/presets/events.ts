import { EVENT_TYPES } from "../options";
import { idField, listFields, PAGE_QUERY } from "../paging";
import type { Preset } from "../types";

const EVENT = {
  id: "9001",
  recipient_id: "1005",
  name: "sent",
  type: "sent",
  value: "",
  conversion: "0",
  data: "",
  ref: "",
  created: "2026-01-09 08:00:00",
};

const WRITE_ONLY = "Events can only be created, with POST recipientEvents/create.";

/** Events of recipients and their mail. */
export const EVENT_PRESETS: readonly Preset[] = [
  {
    id: "events.list",
    categoryId: "events",
    label: "List events",
    description: "Lists events of mail and recipients, such as deliveries and returns.",
    method: "GET",
    path: "events/list",
    query: PAGE_QUERY,
    exampleResponse: { success: true, data: [EVENT] },
    formFields: listFields("type", "Type", EVENT_TYPES, "Only events of this type."),
    reference: { status: "unlisted", note: WRITE_ONLY },
  },
  {
    id: "events.get",
    categoryId: "events",
    label: "Get event",
    description: "Shows one event with its recipient.",
    method: "GET",
    path: "events/get/{id}",
    exampleResponse: { success: true, data: EVENT },
    formFields: [idField("Event ID", "From events/list.", "9001")],
    reference: { status: "unlisted", note: WRITE_ONLY },
  },
];
