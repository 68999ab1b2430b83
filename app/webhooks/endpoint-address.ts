import { buildAddress } from "~/platform/url";

/** Builds the address of an endpoint's page, with the filter of its deliveries, a page of them, or a question. */
export function endpointAddress(
  id: string,
  query: Partial<Record<"state" | "event" | "about" | "before" | "ask", string | null>> = {},
): string {
  return buildAddress(`/webhooks/${encodeURIComponent(id)}`, query);
}
