import type { FormattedMoment } from "~/ui/moment";
import type { WebhookEvent } from "./events";

/** An endpoint as it is shown. */
export interface EndpointView {
  id: string;
  /** Without the query, which may be secret. */
  address: string;
  description: string;
  events: WebhookEvent[];
  state: "active" | "failing" | "off";
  /** Since when it fails or is off. */
  since: FormattedMoment | null;
  /** Why it is off. */
  reason: string | null;
  created: FormattedMoment;
  /** Until when the earlier secret also signs; null: it does not. */
  earlierSecretUntil: FormattedMoment | null;
}

/** The form of an endpoint as it was filled in. */
export interface EndpointDraft {
  url: string;
  description: string;
  events: WebhookEvent[];
  /** By field. */
  problems: Partial<Record<"url" | "description" | "events" | "form", string>>;
}

/** A delivery in a list. */
export interface DeliveryRow {
  id: string;
  type: string;
  /** The piece, list or user that the event is about. */
  subject: { name: string; href: string } | null;
  state: "waiting" | "delivered" | "failed";
  /** What came of the last try. */
  result: string;
  attempts: number;
  created: FormattedMoment;
  /** Of a waiting one. */
  next: string | null;
}

/** One delivery with what was sent and answered. */
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

/** Which deliveries are listed; null and an empty text: all. */
export interface EndpointFilter {
  state: DeliveryRow["state"] | null;
  event: string | null;
  /** The ID of a piece or of a message. */
  about: string;
}

/** The page of one endpoint. */
export interface EndpointPageView {
  endpoint: EndpointView;
  /** As it is stored, for the form; null: the viewer may not change it. */
  draft: EndpointDraft | null;
  filter: EndpointFilter;
  rows: DeliveryRow[];
  newest: string | null;
  older: string | null;
}

/** Address of a page of an endpoint's deliveries. */
export function endpointAddress(
  id: string,
  query: Partial<EndpointFilter> & { before?: string | null; ask?: string } = {},
): string {
  const given = Object.entries(query).filter(([, value]) => value);
  const search = new URLSearchParams(given as [string, string][]);
  return `/webhooks/${encodeURIComponent(id)}${search.size > 0 ? `?${search}` : ""}`;
}
