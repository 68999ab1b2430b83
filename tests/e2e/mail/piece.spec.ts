import type { Page } from "playwright/test";
import { formatSimulated } from "~/pieces/messages";
import { fillPostcard } from "../builder/fill-postcard";
import { readCredits, setCredits } from "../credits/credit-balance";
import { expect, HOOK_SECRET, test } from "../fixtures";
import { signIn } from "../sign-in";
import { mail, rowOf } from "./mailed";

test.use({ expectedErrors: /40[24].*\/(api\/stannp|sends)/ });

interface Entry {
  id: number;
  transaction_type: string;
  amount: number;
  balance_after: number;
  reference_response_id: string | null;
  created_at: string;
}

async function readJson(page: Page, address: string) {
  const reply = await page.request.get(address);
  expect(reply.status(), address).toBe(200);
  return reply.json();
}

test("one live postcard, from draft to cancelled: every number on its page agrees with its records", async ({
  page,
  mailroom,
  newcomer: { name, userId },
}) => {
  const { provider } = mailroom;
  await signIn(page, name);
  await setCredits(page, 5, userId);

  await fillPostcard(page, { message: "From draft to cancelled" });
  await page.getByRole("button", { name: "Live", exact: true }).click();
  const pieces = provider.pieces.length;
  const live = page.getByRole("button", { name: /^Send LIVE: postcard 4x6 .+ 1 credit/ });
  await live.click();
  await expect(page.getByText("1 credit charged. Balance 4.")).toBeVisible();
  expect(provider.pieces.length).toBe(pieces + 1);
  const mailId = provider.pieces.at(-1)?.id ?? 0;
  const pieceUrl = (await page.getByRole("link", { name: "View piece" }).getAttribute("href")) ?? "";
  const id = pieceUrl.split("/").at(-1) ?? "";

  await test.step("it is listed among the stored responses, and on Mail Management", async () => {
    await page.goto("/stored");
    const newest = page.getByRole("region", { name: "Stored responses" }).getByRole("listitem").first();
    await expect(newest).toContainText("postcards/create");
    await page.goto("/mail?type=postcard");
    await expect(rowOf(page, mailId)).toContainText("received");
    await expect(rowOf(page, mailId).getByRole("link").first()).toHaveAttribute("href", pieceUrl);
  });

  await test.step("the provider's webhook updates its status", async () => {
    provider.webhooks.target = { url: `${mailroom.origin}/api/stannp/webhook`, secret: HOOK_SECRET };
    provider.move(mailId, "producing");
    await provider.webhooks.settle();
    provider.webhooks.target = null;
    await page.goto("/mail?type=postcard");
    await expect(rowOf(page, mailId)).toContainText("printing");
  });

  await test.step("a refresh finds that it was taken out of production", async () => {
    provider.move(mailId, "received");
    await page.getByRole("button", { name: "Refresh status" }).click();
    await expect(page.getByText("1 piece checked, 0 changed.")).toBeVisible();
    await expect(rowOf(page, mailId)).toContainText("printing");
  });

  await test.step("it is cancelled, and refunded", async () => {
    await page.goto(pieceUrl);
    await page.getByRole("link", { name: "Cancel Mail" }).click();
    const question = page.getByRole("form", { name: /^Cancel/ });
    await expect(question).toContainText("Not printed yet. 1 credit back, balance 5.");
    await question.getByRole("button", { name: "Cancel Mail" }).click();
    await expect(page).toHaveURL(pieceUrl);
    await expect(page.getByRole("alert")).toHaveText(
      "Postcard cancelled successfully - 1 credit refunded (New balance: 5)",
    );
  });

  const { data: ledger } = (await readJson(page, `/api/credits/transactions?user_id=${userId}`)) as {
    data: Entry[];
  };
  const [debit, refund, ...others] = ledger
    .filter(({ reference_response_id: send }) => send === id)
    .sort((a, b) => a.id - b.id);
  expect(others).toEqual([]);
  expect(debit).toMatchObject({ transaction_type: "debit", amount: 1, balance_after: 4 });
  expect(refund).toMatchObject({ transaction_type: "refund", amount: 1, balance_after: 5 });
  const items = await readJson(page, `/api/mail/items?userId=${userId}&type=postcard`);
  const item = items.find((one: { sendId: string }) => one.sendId === id);
  expect(item).toMatchObject({
    id,
    mailItemId: String(mailId),
    status: "cancelled",
    isCancelled: true,
    cancellationReason: `Cancelled by ${name}`,
    charged: 0,
  });
  const piece = provider.pieces.find((one) => one.id === mailId);
  expect(piece).toMatchObject({ type: "postcard", test: false, status: "cancelled", idempotencyKey: id });
  expect(provider.pieces.filter(({ idempotencyKey }) => idempotencyKey === id)).toHaveLength(1);
  expect(await readCredits(page, userId)).toMatchObject({ credits: 5, held: 0 });

  await page.goto(pieceUrl);
  await expect(page.getByRole("heading", { name: "Postcard 4x6 to Amelia Hartwell" })).toBeVisible();
  await expect(
    page.getByText("This postcard was cancelled and is not mailed. 1 credit was refunded."),
  ).toBeVisible();
  await expect(page.getByText("All records agree.")).toBeVisible();

  await test.step("its money matches the ledger", async () => {
    const money = page.getByRole("region", { name: "Credits of this piece" });
    await expect(money.getByRole("row")).toHaveText([
      "WhatCreditsBalance after",
      "1 credit reserved, then charged",
      `Charge #${debit?.id}−1${debit?.balance_after}`,
      `Refund #${refund?.id}+1${refund?.balance_after}`,
    ]);
    const events = page.getByRole("region", { name: "What happened" });
    for (const [entry, text] of [
      [debit, "1 credit charged, balance 4"],
      [refund, "1 credit refunded, balance 5"],
    ] as const) {
      const event = events.getByRole("listitem").filter({ hasText: text });
      await expect(event.locator("time")).toHaveAttribute("datetime", entry?.created_at ?? "");
    }
  });

  await test.step("its history matches the provider", async () => {
    const events = page.getByRole("region", { name: "What happened" });
    await expect(events).toContainText(`Accepted by the provider, mail ID ${mailId}`);
    for (const [status, source] of [
      ["received", "provider's answer"],
      ["printing", "reported by the provider"],
      ["received", "status refresh"],
      ["cancelled", "cancel"],
    ] as const) {
      const reported = events.getByRole("listitem").filter({ hasText: `Status ${status}` });
      await expect(reported.filter({ hasText: source })).toHaveCount(1);
    }
    const progress = page.getByRole("region", { name: "Progress" });
    await expect(progress.locator("[aria-current=step]")).toContainText("cancelled");
    await expect(page.getByRole("link", { name: "Cancel Mail" })).toHaveCount(0);
  });

  await test.step("its request and answer match the provider's and the stored ones", async () => {
    for (const title of ["Request", "Answer", "Stored response"]) {
      await page.locator("summary").filter({ hasText: title }).click();
    }
    const address = await page
      .getByRole("link", { name: "Open stored response", exact: true })
      .getAttribute("href");
    const { data: stored } = await readJson(page, `/api/responses/${address?.split("/").at(-1)}`);
    expect(stored).toMatchObject({
      status_code: 200,
      path: "postcards/create",
      is_cancelled: true,
      cancelled_at: item.cancelledAt,
      cancellation_reason: item.cancellationReason,
      user_id: userId,
    });
    expect(stored.response_data.data).toMatchObject({ id: mailId, status: "received" });
    await expect(page.locator("summary").filter({ hasText: "Answer" })).toContainText("Status 200");
    await expect(page.getByRole("region", { name: "Answer", exact: true })).toContainText(`id: ${mailId}`);
    const wire = page.getByRole("region", { name: "Request", exact: true });
    await expect(wire).toContainText(`mailroom-${id}`);
    expect(piece?.tags).toContain(`mailroom-${id}`);
    const received = provider.received.filter(({ path }) => path === "postcards/create").at(-1);
    expect(received?.body).toMatchObject({ message: "From draft to cancelled", idempotency_key: id });
    await expect(wire).toContainText("From draft to cancelled");
    await expect(wire).toContainText(id);
  });
});

test("a provider on this machine advances a piece, and opened again as a new draft", async ({
  page,
  mailroom: { provider },
  newcomer: { name, userId },
}) => {
  await signIn(page, name);
  await setCredits(page, 5, userId);
  const { id, mailId } = await mail(page, "letter", "Onward");
  await page.goto(`/sends/${id}`);
  await page.getByRole("button", { name: "Simulate next status" }).click();
  await expect(page.getByRole("alert")).toHaveText(formatSimulated("producing"));
  expect(provider.pieces.find((piece) => piece.id === mailId)?.status).toBe("producing");
  const step = page.getByRole("region", { name: "Progress" }).locator("[aria-current=step]");
  await expect(step).toContainText("producing");

  const sent = provider.received.length;
  await page.getByRole("link", { name: "Send again" }).click();
  await expect(page.getByText("New request.")).toBeVisible();
  await expect(page.getByText("was mailed. Sending it again mails and charges a second one.")).toBeVisible();
  await expect(page.locator('[name="field.recipient_lastname"]')).toHaveValue("Onward");
  expect(provider.received.slice(sent).filter(({ path }) => path === "letters/create")).toEqual([]);
});
