import type { WebhookEvent } from "../emulators/mail-provider/webhooks";
import { HOOK_SECRET, type MailConsole } from "./console/mail-console";

/** Where the provider brings its events. */
export const HOOK = "/api/stannp/webhook";

let users = 0;

/** The provider's webhook, aimed at the console that `app` gives, and what comes of its events there. */
export function openHook(app: () => MailConsole) {
  return {
    /** Mails a piece of a person new, who had 10 credits. */
    async sent(type: "postcard" | "letter" = "postcard") {
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
    /** Cancels a piece at the provider, as its staff would. */
    cancelThere: (mailItemId: string) => app().provider.move(Number(mailItemId), "cancelled"),
    countEvents: () => app().db((db) => db.mailEvent.count()),
    /** An event as the provider writes it. */
    tell: (pieces: { id: number | string; status: string; tags?: string }[], event?: string) =>
      app().provider.webhooks.describe(pieces, event),
    /** Brings an event as it is, signed as said. */
    bring(event: WebhookEvent | string, headers: Record<string, string> = {}) {
      const body = typeof event === "string" ? event : JSON.stringify(event);
      const signature = app().provider.webhooks.sign(body, HOOK_SECRET);
      return app().post(HOOK, body, {
        headers: { "X-Stannp-Signature": signature, Cookie: "", ...headers },
      });
    },
  };
}
