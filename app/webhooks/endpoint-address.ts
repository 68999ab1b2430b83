/** Builds the address of an endpoint's page, with the filter of its deliveries, a page of them, or a question. */
export function endpointAddress(
  id: string,
  query: Partial<Record<"state" | "event" | "about" | "before" | "ask", string | null>> = {},
): string {
  const present = Object.entries(query).filter(([, value]) => value);
  const search = new URLSearchParams(present as [string, string][]);
  return `/webhooks/${encodeURIComponent(id)}${search.size > 0 ? `?${search}` : ""}`;
}
