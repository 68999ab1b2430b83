import type { WebhookEvent } from "../emulators/mail-provider/webhooks";
import { HOOK_SECRET, type MailConsole } from "./console/mail-console";

/** The address to which the provider posts its events. */
export const HOOK = "/api/stannp/webhook";

let users = 0;

/** The provider's webhook at the console that `app` returns, and the results of its events there. */
export function openHook(app: () => MailConsole) {
  return {
    /** Mails a piece for a new person with 10 credits. */
    async mail(type: "postcard" | "letter" = "postcard") {
      const userId = `hook-user-${++users}`;
      await app().grant(userId, 10);
      return { userId, ...(await app().mail(userId, type)) };
    },
    itemOf: (id: string) => app().db((db) => db.mailItem.findUniqueOrThrow({ where: { id } })),
    eventsOf: (id: string) =>
      app().db((db) =>
        db.mailEvent.findMany({ where: { itemId: id, source: "webhook" }, orderBy: { id: "asc" } }),
      ),
    refundsOf: (id: string) =>
      app().db((db) => db.creditTransaction.findMany({ where: { causeKey: id, cause: "refund" } })),
    /** Cancels a piece at the provider, as its staff can. */
    cancelThere: (mailItemId: string) => app().provider.move(Number(mailItemId), "cancelled"),
    countEvents: () => app().db((db) => db.mailEvent.count()),
    /** An event as the provider writes it. */
    toEvent: (pieces: { id: number | string; status: string; tags?: string }[], event?: string) =>
      app().provider.webhooks.describe(pieces, event),
    /** Posts an event unchanged, signed with the given headers. */
    post(event: WebhookEvent | string, headers: Record<string, string> = {}) {
      const body = typeof event === "string" ? event : JSON.stringify(event);
      const signature = app().provider.webhooks.sign(body, HOOK_SECRET);
      return app().post(HOOK, body, {
        headers: { "X-Stannp-Signature": signature, Cookie: "", ...headers },
      });
    },
  };
}
