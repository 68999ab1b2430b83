import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright/test";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResult {
  violations: { id: string; nodes: { target: unknown[] }[] }[];
}

/**
 * The accessibility faults of the current page in both themes. The dark one is checked only by the rules about
 * colours, because nothing else differs.
 * @param within a selector of the part to check
 */
export async function listViolations(page: Page, within = "html"): Promise<string[]> {
  await page.evaluate(axeSource);
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const rules =
      colorScheme === "dark"
        ? "runOnly: ['color-contrast', 'link-in-text-block']"
        : "rules: { 'target-size': { enabled: true } }";
    const run = `axe.run(${JSON.stringify(within)}, { resultTypes: ['violations'], ${rules} })`;
    const { violations } = (await page.evaluate(run)) as AxeResult;
    found.push(
      ...violations.map(({ id, nodes }) => `${colorScheme}: ${id}: ${JSON.stringify(nodes[0]?.target)}`),
    );
  }
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}

/** Like {@link listViolations}, for a page without JavaScript: axe reads a copy of it in which none of our scripts run. */
export async function listPlainViolations(page: Page): Promise<string[]> {
  const html = (await page.content())
    .replace(/<script\b[\s\S]*?<\/script>|<meta[^>]*refresh[^>]*>/g, "")
    .replace(/(<\/?)noscript/g, "$1div");
  const storageState = await page.context().storageState();
  const context = await page.context().browser()?.newContext({ storageState, javaScriptEnabled: true });
  if (!context) throw new Error("The page has no browser.");
  const copy = await context.newPage();
  await copy.route(page.url(), (route) => route.fulfill({ body: html, contentType: "text/html" }));
  await copy.goto(page.url());
  const found = await listViolations(copy);
  await context.close();
  return found;
}
