import { EVENT_TYPES } from "../options";
import { buildPresets, filterField, getCall, idField, listCall, textField } from "../rows";

const START = textField("start", "First day", {
  placeholder: "2026-01-01",
  description: "YYYY-MM-DD.",
});
const END = textField("end", "Last day", {
  placeholder: "2026-12-31",
  description: "YYYY-MM-DD, inclusive.",
});

const COUNTS = {
  total: 310,
  received: 12,
  printing: 8,
  handed_over: 31,
  local_delivery: 9,
  delivered: 238,
  returned: 7,
  cancelled: 5,
};

/** Figures over all mail and over a campaign. */
export const REPORT_PRESETS = buildPresets("reporting", [
  {
    label: "Report summary",
    description: "Counts the account's mail by status.",
    method: "GET",
    path: "reports/summary",
    example: COUNTS,
    formFields: [START, END],
    documented: {
      path: "reporting/summary/{start}/{end}",
      formFields: [
        { ...START, required: true },
        { ...END, required: true },
      ],
    },
    note: "The documented call requires both days, in the path.",
  },
  getCall(
    "reports/campaigns",
    {
      id: "261",
      name: "Autumn teaser",
      status: "completed",
      recipients: "128",
      cost: "126.72",
      ...COUNTS,
      total: 128,
    },
    {
      label: "Campaign report",
      description: "Counts the mail of one campaign by status.",
      id: idField("Campaign ID", "From campaigns/list.", "261"),
      note: "campaigns/get/{id} shows a campaign's status and cost.",
    },
  ),
]);

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
export const EVENT_PRESETS = buildPresets("events", [
  listCall("events", EVENT, {
    label: "List events",
    description: "Lists events of mail and recipients, such as deliveries and returns.",
    filter: filterField("type", "Type", EVENT_TYPES, "Only events of this type."),
    note: WRITE_ONLY,
  }),
  getCall("events", EVENT, {
    label: "Get event",
    description: "Shows one event with its recipient.",
    id: idField("Event ID", "From events/list.", "9001"),
    note: WRITE_ONLY,
  }),
]);
