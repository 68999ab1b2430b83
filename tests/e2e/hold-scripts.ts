import type { Page } from "playwright/test";

/** Holds the scripts of the page's next addresses back until the returned function is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await gate;
    // Those of a page that was left are not wanted any more.
    await route.continue().catch(() => undefined);
  });
  return release;
}
