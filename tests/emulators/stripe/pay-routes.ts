import type { StripeAccount } from "./account";
import { renderMessagePage, renderPayPage } from "./pay-page";

interface PageReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** `/c/pay/<session>`: what the buyer sees and does. `laterMs` is how long a slow payment takes. */
export function answerPayPage(
  account: StripeAccount,
  method: string,
  pathname: string,
  body: string,
  laterMs: number,
): PageReply {
  const [, id = ""] = /^\/c\/pay\/([^/]+)$/.exec(pathname) ?? [];
  if (!account.sessions.has(id))
    return page(404, renderMessagePage("Not found", "There is no such payment page."));
  const session = account.find(id);
  if (session.status !== "open") {
    const text =
      session.status === "expired" ? "This payment page has expired." : "This payment page was used already.";
    return page(410, renderMessagePage("Nothing to pay", `${text} Go back to the console.`));
  }
  if (method === "GET") return page(200, renderPayPage(session, account.describe(id)));
  const action = method === "POST" ? new URLSearchParams(body).get("action") : null;
  const done = redirect((session.success_url ?? "").replaceAll("{CHECKOUT_SESSION_ID}", id));
  switch (action) {
    case "cancel":
      return session.cancel_url === null
        ? page(400, renderMessagePage("Not possible", ""))
        : redirect(session.cancel_url);
    case "pay":
      account.pay(id);
      return done;
    case "later-succeed":
    case "later-fail":
      account.payLater(id);
      setTimeout(() => account.settle(id, action === "later-fail" ? "failed" : "succeeded"), laterMs).unref();
      return done;
    default:
      return page(400, renderMessagePage("Not possible", "This page has no such button."));
  }
}

function page(status: number, body: string): PageReply {
  return { status, headers: { "Content-Type": "text/html; charset=utf-8" }, body };
}

function redirect(address: string): PageReply {
  return { status: 303, headers: { Location: address }, body: "" };
}
