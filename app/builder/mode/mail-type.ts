import { useRouteLoaderData } from "@remix-run/react";
import { MAIL_PRICES } from "~/catalogue/prices";
import type { MailType } from "~/pieces/mail-type";
import { type Classified, classifyCall } from "~/sending/classify";
import { countCredits } from "~/sending/credit-outcome";
import { type CallTemplate, carriesBody, type Draft } from "../draft";
import { findMailKind } from "../editor/mail-kind";
import { buildBody, fillPath } from "../request/request";

/** What sending this draft would have printed and posted ("letter", "postcard"), or null. */
export function findLiveMailType(draft: Draft, template: CallTemplate): MailType | null {
  if (!carriesBody(draft.method)) return null;
  try {
    // What the form says of it counts also while something else is missing and the body is empty.
    const byForm = draft.body === null && findMailKind(template) !== null;
    const body = byForm ? { test: draft.values.test === "true" } : (buildBody(draft, template) ?? {});
    // The server may read a text as form fields: whatever it says counts as live here.
    const classified = classify(draft, typeof body === "string" ? {} : body);
    if (!classified.ok || classified.call.kind !== "mail" || classified.call.test) return null;
    return classified.call.mailType;
  } catch {
    return null;
  }
}

/** What this call makes, as a test or for real; null where it is no letter or postcard. */
export function findMailType(draft: Draft): MailType | null {
  const classified = classify(draft, { test: true });
  return classified.ok && classified.call.kind === "mail" ? classified.call.mailType : null;
}

function classify(draft: Draft, body: unknown): Classified {
  // Escapes are read as the server reads them: what it takes for mail is called mail here.
  const path = fillPath(draft).split("/").map(decode).join("/");
  return classifyCall({ method: draft.method, path, query: {}, body }, []);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** What the loader of every page tells of the current user's credits; null where they cannot be read. */
export function useCurrentAccount(): Spendable | null {
  return useRouteLoaderData<{ account: Spendable | null }>("root")?.account ?? null;
}

/** "postcard 4x6 to J. Smith, Leeds: 1 credit, 41 left" */
export function formatLiveSend(
  { mailType, piece }: { mailType: MailType; piece: string },
  account: Spendable | null,
  userId: string | null,
): string {
  const price = `${piece}: ${countCredits(MAIL_PRICES[mailType])}`;
  return account && account.userId === userId ? `${price}, ${account.available} left` : price;
}

interface Spendable {
  userId: string;
  /** Credits. */
  available: number;
}
