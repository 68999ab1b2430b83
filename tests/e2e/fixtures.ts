import { type APIRequestContext, test as base, expect, type Page } from "playwright/test";
import type { MailProvider } from "../emulators/mail-provider";
import {
  API_KEY,
  HOOK_SECRET,
  startWholeConsole,
  type WholeConsole,
  type WholeConsoleOptions,
} from "../support/console/whole-console";
import { PEOPLE } from "./sign-in";

export interface ConsoleOptions {
  database: NonNullable<WholeConsoleOptions["database"]>;
}

export type RunningConsole = Omit<WholeConsole, "close">;

/** A new person without mail, credits or stored responses. */
interface Newcomer {
  /** Name on the login page and in Mailroom. */
  name: string;
  userId: string;
}

interface TestFixtures {
  /** Errors that a test expects to provoke; any other fails it. */
  expectedErrors: RegExp | null;
  /** A new person for tests that list all of a user's mail or credits, where pieces of other tests would interfere. */
  newcomer: Newcomer;
}

/** The console in its own process, with its own emulators, for each worker. */
export const test = base.extend<TestFixtures, ConsoleOptions & { mailroom: RunningConsole }>({
  database: ["postgres", { option: true, scope: "worker" }],

  mailroom: [
    async ({ database }, use) => {
      const { provider, close, ...running } = await startWholeConsole({
        database,
        variables: { APPROVAL_ABOVE_CREDITS: "27" },
        people: PEOPLE,
      });
      await use({ ...running, provider: leaveOutBackground(provider) });
      await close();
      expect(running.errors).toEqual([]);
    },
    { scope: "worker" },
  ],

  baseURL: async ({ mailroom }, use) => use(mailroom.origin),

  expectedErrors: [null, { option: true }],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its pattern
  newcomer: async ({}, use) => {
    const subject = `newcomer-${PEOPLE.length}`;
    const name = `Newcomer ${PEOPLE.length}`;
    const claims = { name, email: `${subject}@example.com`, email_verified: true };
    PEOPLE.push({ subject, label: name, claims });
    await use({ name, userId: `auth-${subject}` });
  },

  request: async ({ request }, use) => {
    repeatWhatWasReset(request);
    await use(request);
  },

  // An error in the browser's console or an error line of the server fails the test.
  page: async ({ page, mailroom, expectedErrors }, use) => {
    const seen: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") seen.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => seen.push(String(error)));
    const logged = mailroom.output.length;
    repeatWhatWasReset(page.request);
    await use(page);
    // Remix logs this for data that a newer navigation did not wait for.
    const errors = seen.filter((text) => !text.startsWith("AbortError: signal is aborted without reason"));
    const lines = mailroom.output.slice(logged).filter((line) => /"level":(50|60)/.test(line));
    expect([...errors, ...lines].filter((text) => !expectedErrors?.test(text))).toEqual([]);
  },
});

/**
 * Repeats requests that failed on a kept connection. The console may close one at the moment of its reuse; browsers
 * retry then, and so does a test.
 */
function repeatWhatWasReset(request: APIRequestContext): void {
  const fetch = request.fetch.bind(request);
  request.fetch = (address, options) => fetch(address, { maxRetries: 3, ...options });
}

/**
 * Hides the requests that the console makes automatically for its header, at any moment between a test's own calls.
 */
function leaveOutBackground(provider: MailProvider): MailProvider {
  const get = () =>
    provider.received.filter(({ headers }) => headers["user-agent"] !== "Mailroom, in the background");
  return Object.create(provider, { received: { get } });
}

/** Opens a page and waits until React has hydrated it. */
export async function openReady(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator("html[data-script=ready]")).toBeAttached();
}

/** Sends the Builder's request and waits for the provider's answer. */
export async function sendRequest(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Send( test)?$/ }).click();
  await expect(page.getByText("200 OK")).toBeVisible();
}

export { API_KEY, expect, HOOK_SECRET };
