import { useRouteLoaderData } from "@remix-run/react";
import { MAIL_PRICES } from "~/catalogue/prices";
import { classifyCall } from "~/sending/classify";
import type { MailType } from "~/sending/envelope";
import { countCredits } from "~/sending/mail-credits";
import { type CallTemplate, carriesBody, type Draft } from "./draft";
import { buildBody } from "./request";

/** What sending this draft would have printed and posted ("letter", "postcard"), or null. */
export function findLiveMail(draft: Draft, template: CallTemplate): MailType | null {
  if (!carriesBody(draft.method)) return null;
  try {
    const body = buildBody(draft, template) ?? {};
    const classified = classifyCall({ method: draft.method, path: draft.path.trim(), query: {}, body }, []);
    if (!classified.ok || classified.call.kind !== "mail" || classified.call.test) return null;
    return classified.call.mailType;
  } catch {
    return null;
  }
}

/** What the loader of every page tells of the current user's credits; null where they cannot be read. */
export function useCurrentAccount(): Spendable | null {
  return useRouteLoaderData<{ account: Spendable | null }>("root")?.account ?? null;
}

/** "postcard: 1 credit, 41 left" */
export function describeDeal(mailType: MailType, account: Spendable | null, userId: string | null): string {
  const price = `${mailType}: ${countCredits(MAIL_PRICES[mailType])}`;
  return account && account.userId === userId ? `${price}, ${account.available} left` : price;
}

interface Spendable {
  userId: string;
  /** Credits. */
  available: number;
}
