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
  /** The name of scenarios that share a console and its database with no others; null for all others. */
  ownConsole: string | null;
  /** Environment of the console that differs from that of all others, which makes it a console of its own. */
  variables: Record<string, string>;
}

export type RunningConsole = Omit<WholeConsole, "close">;

/** A person whom no other test knows: with no mail, no credits and no stored responses. */
interface Newcomer {
  /** On the login page, and in Mailroom. */
  name: string;
  userId: string;
}

interface TestFixtures {
  /** The errors that a test says it provokes; any other fails it. */
  expectedErrors: RegExp | null;
  /** For what looks at all of a user's mail or credits, where pieces of other tests would be in the way. */
  newcomer: Newcomer;
}

/** The console in its own process, with emulators of its own, for each worker. */
export const test = base.extend<TestFixtures, ConsoleOptions & { mailroom: RunningConsole }>({
  database: ["postgres", { option: true, scope: "worker" }],

  ownConsole: [null, { option: true, scope: "worker" }],

  variables: [{}, { option: true, scope: "worker" }],

  mailroom: [
    async ({ database, variables }, use) => {
      const { provider, close, ...running } = await startWholeConsole({
        database,
        variables,
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
    // Remix says so of data that a newer navigation did not wait for.
    const told = seen.filter((text) => !text.startsWith("AbortError: signal is aborted without reason"));
    const lines = mailroom.output.slice(logged).filter((line) => /"level":(50|60)/.test(line));
    expect([...told, ...lines].filter((text) => !expectedErrors?.test(text))).toEqual([]);
  },
});

/**
 * A connection that was kept may be closed by the console, which need not keep it, in the moment in which it is used
 * again: browsers then ask again, and so does a test.
 */
function repeatWhatWasReset(request: APIRequestContext): void {
  const fetch = request.fetch.bind(request);
  request.fetch = (address, options) => fetch(address, { maxRetries: 3, ...options });
}

/** What the console asks by itself, for its header, may come at any moment between a test's own calls. */
function leaveOutBackground(provider: MailProvider): MailProvider {
  const get = () =>
    provider.received.filter(({ headers }) => headers["user-agent"] !== "Mailroom, in the background");
  return Object.create(provider, { received: { get } });
}

/** Opens a page and waits until React has taken it over. */
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
