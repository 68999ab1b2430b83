import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANA, type PaymentConsole, startPaymentConsole } from "../../support/console/payment-console";
import { newEmbedded } from "../../support/database/embedded";

const PATH = "/api/stripe/create-checkout";

let app: PaymentConsole;

beforeAll(async () => {
  app = await startPaymentConsole(newEmbedded(), { stripe: { webhookUrl: null } });
});
afterAll(() => app.close());

const body = (changes: object = {}) => ({
  user_id: ANA.id,
  credits: 100,
  success_url: `${app.origin}/?tab=users&success=true`,
  cancel_url: `${app.origin}/?tab=users&canceled=true`,
  ...changes,
});
const countRows = () => app.db((db) => db.checkoutSession.count());
async function ask(content: unknown, headers: Record<string, string> = {}) {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const answer = await app.post(PATH, text, { Cookie: app.cookie, Origin: app.origin, ...headers });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

describe("POST /api/stripe/create-checkout", () => {
  test("returns the address of a payment page", async () => {
    const { status, json } = await ask(body());
    expect(status).toBe(200);
    expect(json).toEqual({ success: true, id: expect.any(String), url: expect.any(String) });
    expect((await fetch(String(json.url))).status).toBe(200);
  });

  test("price, currency and quantity come from the catalogue and ignore the caller's", async () => {
    const { json } = await ask(body({ credits: null, amount: 1, price: 1, currency: "jpy", quantity: 9 }));
    const session = [...app.stripe.sessions.values()].at(-1);
    expect(json.url).toBe(session?.url);
    expect(session).toMatchObject({ amount_total: 999, currency: "usd" });
    const row = await app.db((db) => db.checkoutSession.findUnique({ where: { id: String(json.id) } }));
    expect(row).toMatchObject({ credits: 100, amountCents: 999 });
  });

  test.each([
    [400, "other credits", { credits: 101 }],
    [400, "half a package", { credits: 50 }],
    [400, "credits as text", { credits: "100" }],
    [400, "negative credits", { credits: -100 }],
    [400, "no user", { user_id: undefined }],
    [400, "a user that is no text", { user_id: 7 }],
    [400, "no address", { success_url: undefined }],
    [400, "a list of addresses", { cancel_url: ["http://localhost/"] }],
    [400, "a foreign address", { success_url: "https://evil.test/" }],
    [400, "a foreign address to cancel to", { cancel_url: "https://evil.test/" }],
    [400, "a relative address", { success_url: "/users" }],
    [400, "a character that cannot be kept", { user_id: "a\0b" }],
    [404, "an unknown user", { user_id: "auth-missing" }],
  ])("%i for %s, with a reason, neither stored nor sent to Stripe", async (wanted, _name, changes) => {
    const [rows, calls] = [await countRows(), app.stripe.requests.length];
    const { status, json } = await ask(body(changes));
    expect([status, json.success, typeof json.error]).toEqual([wanted, false, "string"]);
    expect([await countRows(), app.stripe.requests.length]).toEqual([rows, calls]);
  });

  test.each(["[]", "null", "7", "{", `"text"`])("400 for %s", async (text) => {
    expect((await ask(text)).status).toBe(400);
  });

  test.each([
    [401, "no session", { Cookie: "" }],
    [403, "another site", { Origin: "https://evil.test" }],
    [403, "another site by its own word", { "Sec-Fetch-Site": "cross-site" }],
    [415, "a form", { "Content-Type": "text/plain" }],
  ])("%i for %s", async (wanted, _name, headers) => {
    const sessions = app.stripe.sessions.size;
    expect((await ask(body(), headers as Record<string, string>)).status).toBe(wanted);
    expect(app.stripe.sessions.size).toBe(sessions);
  });

  test("GET changes nothing", async () => {
    const answer = await fetch(`${app.origin}/api/stripe/create-checkout`);
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "POST"]);
  });
});
