import type { Page } from "playwright/test";
import { signIn } from "../sign-in";

const ANA = "auth-ana";

interface CreditUser {
  id: string;
  credits: number;
  held: number;
}

/** A user's credits from the API that scripts use. */
export async function readCredits(page: Page, userId = ANA): Promise<CreditUser> {
  const answer = await page.request.get(`/api/credits?user_id=${userId}`);
  const { data } = await answer.json();
  return data.find((user: CreditUser) => user.id === userId);
}

/** Adds or deducts credits until the balance is `wanted`. */
export async function setCredits(page: Page, wanted: number, userId = ANA): Promise<void> {
  const { credits } = await readCredits(page, userId);
  if (credits === wanted) return;
  const answer = await page.request.post("/api/credits", {
    data: {
      user_id: userId,
      action: wanted > credits ? "add" : "deduct",
      amount: Math.abs(wanted - credits),
      description: "set by a test",
    },
  });
  if (!answer.ok()) throw new Error(await answer.text());
}

/** Signs Ana in, with 5 credits. */
export async function signInWithCredits(page: Page): Promise<void> {
  await signIn(page);
  await setCredits(page, 5);
}
