import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { parseProviderEvent } from "~/outside/mail-provider/webhook.server";

const NOW = Date.parse("2026-11-22T12:00:00Z");
const BODY = Buffer.from(
  JSON.stringify({ event: "mailpiece_status", created: "2026-11-22T11:59:00+00:00", mailpieces: [] }),
);

function read(signedWith: string, secrets: string[]) {
  const signature = createHmac("sha256", signedWith).update(BODY).digest("hex");
  return parseProviderEvent(BODY, new Headers({ "X-Stannp-Signature": signature }), secrets, NOW);
}

test.each(["new secret", "old secret"])(
  "while the secret is changed, an event signed with the %s counts",
  (secret) => {
    expect(read(secret, ["new secret", "old secret"])).toMatchObject({ ok: true, value: { kind: "pieces" } });
  },
);

test("an event signed with a removed secret is refused", () => {
  expect(read("old secret", ["new secret"])).toMatchObject({ ok: false, failure: { code: "bad_input" } });
});
