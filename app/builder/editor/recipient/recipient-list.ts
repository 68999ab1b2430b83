import { parseDetails } from "~/outside/mail-provider/recipient-fields";
import type { ProxyResponse } from "~/proxy/proxy-types";
import { LOAD_FAILURES } from "../messages";
import { type ListSource, parseRows } from "../provider-list";
import type { ListedRecipient, LoadedRecipients } from "./recipients";

/** The provider's list of recipients. */
export const RECIPIENTS: ListSource<LoadedRecipients> = {
  path: "recipients/list",
  parse: parseRecipients,
  withoutUser: { state: "failed", reason: LOAD_FAILURES.noUser },
};

/** Parses the proxy's answer. */
export function parseRecipients(response: ProxyResponse | null): LoadedRecipients {
  const rows = parseRows(response);
  if (!Array.isArray(rows)) return { state: "failed", reason: LOAD_FAILURES[rows] };
  return { state: "loaded", recipients: rows.map(toRecipient).filter(({ id }) => id !== "") };
}

function toRecipient(row: Record<string, unknown>): ListedRecipient {
  const blank = { id: "", firstname: "", lastname: "", company: "", address1: "" };
  return { ...blank, city: "", state: "", postcode: "", country: "", ...parseDetails(row) };
}
