import type Stripe from "stripe";
import { escapeHtml, renderMessagePage, renderPage } from "../html-page";
import type { StripeAccount } from "./account";

interface PageReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Delay of a slow payment. */
const LATER_MS = 3_000;

/** Answers `/c/pay/<session>`, the buyer's page and its buttons. */
export function answerPayPage(
  account: StripeAccount,
  method: string,
  pathname: string,
  body: string,
): PageReply {
  const [, kind, id = ""] = /^\/c\/(pay|receipt)\/([^/]+)$/.exec(pathname) ?? [];
  if (!account.sessions.has(id))
    return page(404, renderMessagePage("Not found", "There is no such payment page."));
  const session = account.find(id);
  if (kind === "receipt") {
    const text = `${account.describe(id)}, ${formatPrice(session)}, paid by card.`;
    return page(200, renderMessagePage("Receipt", text));
  }
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
      setTimeout(
        () => account.settle(id, action === "later-fail" ? "failed" : "succeeded"),
        LATER_MS,
      ).unref();
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

/** The payment page: the items, and a button for each outcome of a payment. */
function renderPayPage(session: Stripe.Checkout.Session, what: string): string {
  const price = formatPrice(session);
  return renderPage(
    "Local Stripe emulator",
    `<p>For development and tests. No card is asked for and no money moves.</p>
<dl><dt>${escapeHtml(what)}</dt><dd>${escapeHtml(price)}</dd></dl>
<form method="post">
<button class="main" name="action" value="pay">Pay</button>
<button name="action" value="later-succeed">Pay later, then succeed</button>
<button name="action" value="later-fail">Pay later, then fail</button>
${session.cancel_url === null ? "" : `<button name="action" value="cancel">Cancel</button>`}
</form>`,
  );
}

function formatPrice({ amount_total, currency }: Stripe.Checkout.Session): string {
  const amount = (amount_total ?? 0) / 100;
  return new Intl.NumberFormat("en-US", { style: "currency", currency: currency ?? "usd" }).format(amount);
}
