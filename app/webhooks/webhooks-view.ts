import type { DeliveryState, WebhookEvent } from "./events";

/** The values of an endpoint's form. */
export interface EndpointDraft {
  url: string;
  description: string;
  events: WebhookEvent[];
  problems: Partial<Record<"url" | "description" | "events" | "form", string>>;
}

/** Filter of an endpoint's deliveries. Null and empty texts do not filter. */
export interface EndpointFilter {
  state: DeliveryState | null;
  event: string | null;
  /** The ID of a piece or of a message. */
  about: string;
}

/** Builds the address of a page of an endpoint's deliveries. */
export function endpointAddress(
  id: string,
  query: Partial<EndpointFilter> & { before?: string | null; ask?: string } = {},
): string {
  const present = Object.entries(query).filter(([, value]) => value);
  const search = new URLSearchParams(present as [string, string][]);
  return `/webhooks/${encodeURIComponent(id)}${search.size > 0 ? `?${search}` : ""}`;
}
