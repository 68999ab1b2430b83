import type { Page } from "playwright/test";

/** Holds back the scripts of the page's next addresses until the returned function is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await gate;
    // Scripts of a page that was left are no longer needed.
    await route.continue().catch(() => undefined);
  });
  return release;
}
