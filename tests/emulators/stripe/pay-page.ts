import type Stripe from "stripe";

const STYLE = `
  :root { color-scheme: light dark; --paper: #faf9f6; --surface: #fff; --ink: #1d1c1a; --second: #5d5a54; --line: #e2ded5; --accent: #1d4f91; --on-accent: #fff; }
  @media (prefers-color-scheme: dark) {
    :root { --paper: #151517; --surface: #1c1c1f; --ink: #edebe6; --second: #aaa69d; --line: #2d2d31; --accent: #7fb0f0; --on-accent: #10151c; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; padding: 12vh 16px 48px; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
  main { max-width: 420px; margin: 0 auto; }
  h1 { margin: 0 0 4px; font-size: 20px; font-weight: 600; }
  p { margin: 0 0 24px; color: var(--second); }
  dl { display: grid; grid-template-columns: 1fr auto; gap: 8px 16px; margin: 0 0 24px; padding: 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
  dt { color: var(--second); } dd { margin: 0; text-align: end; font-variant-numeric: tabular-nums; }
  form { display: grid; gap: 8px; }
  button { padding: 10px 16px; border: 1px solid var(--line); border-radius: 6px; background: var(--surface); color: inherit; font: inherit; cursor: pointer; }
  button.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
  button:hover { border-color: var(--accent); }
  button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

/** The payment page: what is sold, and a button for each way a payment can go. */
export function renderPayPage(session: Stripe.Checkout.Session, what: string): string {
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

/** A page that says one thing. */
export function renderMessagePage(title: string, text: string): string {
  return renderPage(title, `<p>${escapeHtml(text)}</p>`);
}

function formatPrice({ amount_total, currency }: Stripe.Checkout.Session): string {
  const amount = (amount_total ?? 0) / 100;
  return new Intl.NumberFormat("en-US", { style: "currency", currency: currency ?? "usd" }).format(amount);
}

function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
