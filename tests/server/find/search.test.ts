import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEmbedded } from "~/platform/database/embedded.server";
import { applyMigrations } from "~/platform/database/migrations.server";
import { connectPostgres } from "~/platform/database/postgres.server";
import { loadEnvironment } from "../../support/console/environment";
import { createOldTables, OLD_ROWS } from "../../support/database/database-shape";
import { newEmbedded } from "../../support/database/embedded";
import { type Postgres, startPostgres } from "../../support/database/postgres";

/** Search over rows older than the search, which the background task has indexed. */

const MORE_ROWS = `
  UPDATE sends SET recipient_name = 'Siobhán O’Malley', request_body =
    'recipient%5Bfirstname%5D=Siobh%C3%A1n&recipient%5Blastname%5D=O%E2%80%99Malley&recipient%5Bcompany%5D=Acme&recipient%5Bcity%5D=Dublin&recipient%5Bpostcode%5D=D02+AF30'
    WHERE id = 'review';
  UPDATE sends SET idempotency_key = repeat('7e', 32) WHERE id = 'mailed';
  INSERT INTO mail_recipients (id, user_id, base_url, recipient_id, name)
    VALUES ('r9', 'auth-ana', 'https://api-us1.stannp.com/v1', '555123', 'Łukasz Nowak');
  UPDATE response_bodies SET response_data = '{"data":[{"ref":"ZX-81","city":"Kraków"}]}' WHERE response_id = 'mailed'`;

describe.each(["postgres", "embedded"] as const)("on %s", (kind) => {
  let postgres: Postgres | undefined;
  let search: typeof import("~/find/search.server").search;
  const find = async (text: string) => {
    const { exact, groups, problem } = await search(text, 8, new Date());
    expect(problem).toBe(null);
    const found = groups.flatMap(({ hits }) => hits.map(({ to }) => to));
    return { exact: exact.map(({ to }) => to), found, groups };
  };

  beforeAll(async () => {
    postgres = kind === "postgres" ? await startPostgres() : undefined;
    const url = (await postgres?.createDatabase({ empty: true })) ?? newEmbedded();
    const connection = postgres
      ? connectPostgres(url)
      : await openEmbedded(url.slice("pglite://".length), { use: "the test", shared: false });
    await connection.withSession(async (session) => {
      // The embedded database is a copy that already has its tables.
      if (postgres) await createOldTables(session);
      await session.query(OLD_ROWS);
      await session.query(MORE_ROWS);
      if (postgres) await applyMigrations(session);
      else await session.query("INSERT INTO response_words SELECT id, created_at FROM responses");
      await session.query(`
        INSERT INTO bulk_lists (id, actor_id, user_id, name, mail_type, design) VALUES ('list-7', 'a', 'user-1', 'L', 'letter', '{}');
        UPDATE mail_items SET id = 'test-1' WHERE id = 'sample';
        UPDATE checkout_sessions SET stripe_payment_id = 'pi_stored_1' WHERE id = 'buy';
        UPDATE mail_recipients SET place = 'Gdynia 81-300', deleted_at = now() WHERE id = 'r9';
        INSERT INTO api_calls (at, request_id, method, path, status, duration_ms, reason)
        SELECT now(), 'request-7', 'POST', '/api/pieces', 402, 3, 'insufficient_credits' FROM generate_series(1, 2)`);
    });
    await connection.close(false);
    await loadEnvironment({ MAILROOM_DATABASE_URL: url });
    ({ search } = await import("~/find/search.server"));
    const { fillSearchTexts } = await import("~/find/fill-search-texts.server");
    const { runBatch } = await import("~/platform/background-runner.server");
    await runBatch(fillSearchTexts);
  });
  afterAll(async () => {
    await loadEnvironment({});
    await postgres?.close();
  });

  test.each([
    ["siobhan", "without accents"],
    ["O'MALLEY siob", "in any order and letter case, and by its beginning"],
    ["siobahn", "with two letters swapped"],
    ["omaley", "with a letter missing"],
    ["acme dublin", "company and city"],
    ["d02af30", "the postcode without its space"],
  ])("a piece is found by %s: %s", async (text) => {
    expect((await find(text)).found).toContain("/sends/review");
  });

  test("a piece is found by its type and recipient in plain words", async () => {
    expect((await find("What happened to the postcard to Siobhán?")).found).toContain("/sends/review");
    expect((await find("postcard siobhan")).groups).toMatchObject([{ kind: "piece", similar: false }]);
    expect((await find("letters siobhan")).found).not.toContain("/sends/review");
  });

  test("a similar spelling is marked, and two wrong letters are not tolerated", async () => {
    expect((await find("siobahn")).groups).toMatchObject([{ kind: "piece", similar: true }]);
    expect((await find("siobhan")).groups).toMatchObject([{ kind: "piece", similar: false }]);
    expect((await find("siobxxn")).found).toEqual([]);
  });

  test("recipients, users, values of answers, presets and pages are found", async () => {
    expect((await find("lukasz gdynia")).found).toContain("/mail?user_id=auth-ana&recipient=r9&tests=1");
    expect((await find("nguyen")).found).toContain("/users?view=history&user_id=user-1");
    expect((await find("purchase ana")).found).toContain("/purchases/buy");
    expect((await find("krakow zx 81")).found).toEqual(["/stored/mailed"]);
    expect((await find("create postcard")).found).toContain("/?preset=postcards.create");
    expect((await find("ledger")).found).toContain("/users?view=history");
    expect((await find("spent")).found).toContain("/users?view=spending");
    expect(await find(" %_' \\ ")).toMatchObject({ exact: [], found: [] });
  });

  test("an updated recipient is found by the details that its update does not contain", async () => {
    const { syncRecipients } = await import("~/recipients/record-recipients.server");
    const call = { method: "POST", baseUrl: "https://b.test", userId: "auth-ana", data: { id: "4711" } };
    const update = (path: string, body: object) =>
      syncRecipients({ ...call, path, body }, { id: "auth-ana", displayName: "Ana", email: null });
    await update("recipients/new", { firstname: "Vera", email: "v.quist@example.org", city: "Narvik" });
    await update("recipients/update/4711", { firstname: "Wanda" });
    expect((await find("wanda quist narvik 4711")).groups).toMatchObject([{ kind: "recipient" }]);
    expect((await find("vera narvik")).found).toEqual([]);
  });

  test.each([
    ["review", [], "a word that is no id"],
    ["1002", ["/sends/cancelled"], "the provider's mail ID"],
    ["list-7", ["/bulk/list-7"], "a list"],
    ["test-1", ["/mail?user_id=auth-ana&type=letter&tests=1"], "a test"],
    ["k3", ["/sends/refused"], "the idempotency key"],
    ["7e".repeat(32), ["/sends/mailed"], "a key that is too long for a word"],
    ["cs_1", ["/purchases/buy"], "Stripe's session"],
    ["pi_stored_1", ["/purchases/buy"], "Stripe's payment"],
    ["#15", ["/users?view=history&cursor=16#entry-15"], "the number of a ledger row"],
    ["555123", ["/mail?user_id=auth-ana&recipient=r9&tests=1"], "the provider's recipient"],
    ["user-1", ["/users?view=history&user_id=user-1"], "a user"],
    ["request-7", ["/api-log?id=request-7"], "the request ID of an API call, used twice"],
    ["nothing-has-this-id-7", [], "no id at all"],
    ["a\0b-7", [], "what no text can hold"],
  ])("a pasted id leads to its page: %s", async (id, to) => {
    expect((await find(id)).exact).toEqual(to);
  });
});
