import { idField } from "../paging";
import { REFERENCE_PAGES } from "../reference-pages";
import type { FormField, Preset } from "../types";

const START: FormField = {
  name: "start",
  label: "First day",
  type: "text",
  placeholder: "2026-01-01",
  description: "YYYY-MM-DD.",
};
const END: FormField = {
  name: "end",
  label: "Last day",
  type: "text",
  placeholder: "2026-12-31",
  description: "YYYY-MM-DD, inclusive.",
};

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
export const REPORT_PRESETS: readonly Preset[] = [
  {
    id: "reports.summary",
    categoryId: "reporting",
    label: "Report summary",
    description: "Counts the account's mail by status.",
    method: "GET",
    path: "reports/summary",
    docsUrl: REFERENCE_PAGES.reporting,
    exampleResponse: { success: true, data: COUNTS },
    formFields: [START, END],
    reference: {
      status: "renamed",
      documented: {
        method: "GET",
        path: "reporting/summary/{start}/{end}",
        formFields: [
          { ...START, required: true },
          { ...END, required: true },
        ],
      },
      note: "The documented call requires both days, in the path.",
    },
  },
  {
    id: "reports.campaigns.get",
    categoryId: "reporting",
    label: "Campaign report",
    description: "Counts the mail of one campaign by status.",
    method: "GET",
    path: "reports/campaigns/get/{id}",
    exampleResponse: {
      success: true,
      data: {
        id: "261",
        name: "Autumn teaser",
        status: "completed",
        recipients: "128",
        cost: "126.72",
        ...COUNTS,
        total: 128,
      },
    },
    formFields: [idField("Campaign ID", "From campaigns/list.", "261")],
    reference: { status: "unlisted", note: "campaigns/get/{id} shows a campaign's status and cost." },
  },
];
