import pg from "pg";
import { signInWithCredits } from "../credits/credit-balance";
import { expect, test } from "../fixtures";
import { mail, rowOf } from "./mailed";

/** Mail Management while the database is unreachable or the provider's key is missing. */

test.use({ expectedErrors: /status of (40[0-9]|50[0-9])/ });
test.beforeEach(({ page }) => signInWithCredits(page));

test("while users or mail cannot be read the tab says so, and Retry loads it again", async ({
  page,
  mailroom,
}) => {
  const { mailId } = await mail(page, "letter", "Outage");
  for (const [table, message] of [
    ["users", /^Failed to load users: .+ Retry$/],
    ["mail_items", /^Service temporarily unavailable\. Please try again in a few moments\. Retry$/],
  ] as const) {
    await whileLocked(mailroom.databaseUrl ?? "", table, async () => {
      await page.goto("/mail");
      await expect(page.getByRole("heading", { name: "Mail Management" })).toBeVisible();
      await expect(page.getByRole("alert")).toHaveText(message);
    });
    await page.getByRole("alert").getByRole("link", { name: "Retry" }).click();
    await expect(rowOf(page, mailId)).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
  }
});

/** Cancels queries of the table, as a statement timeout does. */
async function whileLocked(databaseUrl: string, table: string, work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: databaseUrl, application_name: "holder" });
  await holder.connect();
  await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  let held = true;
  const breakOff = async () => {
    while (held) {
      // Without the first statement, later sessions would not be visible.
      await holder.query(`SELECT pg_stat_clear_snapshot(); SELECT pg_cancel_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'mailroom' AND wait_event_type = 'Lock'; SELECT pg_sleep(0.05)`);
    }
  };
  const breakingOff = breakOff();
  try {
    await work();
  } finally {
    held = false;
    await breakingOff;
    await holder.end();
  }
}
