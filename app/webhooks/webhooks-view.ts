import type { FormattedMoment } from "~/ui/moment";
import type { DeliveryState, WebhookEvent } from "./events";

/** An endpoint on a page. */
export interface EndpointView {
  id: string;
  /** Without the query, which may be secret. */
  address: string;
  description: string;
  events: WebhookEvent[];
  state: "active" | "failing" | "off";
  /** Start of the failures or of being off. */
  since: FormattedMoment | null;
  /** Reason for being off. */
  reason: string | null;
  created: FormattedMoment;
  /** End of the earlier secret's validity; null: it has ended. */
  earlierSecretUntil: FormattedMoment | null;
}

/** The values of an endpoint's form. */
export interface EndpointDraft {
  url: string;
  description: string;
  events: WebhookEvent[];
  problems: Partial<Record<"url" | "description" | "events" | "form", string>>;
}

/** A delivery in a list. */
export interface DeliveryRow {
  id: string;
  type: string;
  /** The piece, list, user or alarm of the event. */
  subject: { name: string; href: string } | null;
  state: DeliveryState;
  /** Outcome of the last try. */
  result: string;
  attempts: number;
  created: FormattedMoment;
  /** Wait until the next try; null: none is due. */
  next: string | null;
}

/** A delivery with its body and tries. */
export interface DeliveryView extends DeliveryRow {
  messageId: string;
  resentBy: string | null;
  payload: string;
  tries: {
    id: string;
    at: FormattedMoment;
    result: string;
    ok: boolean;
    durationMs: number;
    requestHeaders: [name: string, value: string][];
    answerHeaders: [name: string, value: string][];
    answerText: string | null;
  }[];
}

/** Filter of an endpoint's deliveries. Null and empty texts do not filter. */
export interface EndpointFilter {
  state: DeliveryState | null;
  event: string | null;
  /** The ID of a piece or of a message. */
  about: string;
}

/** The page of one endpoint. */
export interface EndpointPageView {
  endpoint: EndpointView;
  /** The stored values for the form; null: the viewer may not change them. */
  draft: EndpointDraft | null;
  filter: EndpointFilter;
  rows: DeliveryRow[];
  newest: string | null;
  older: string | null;
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
