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
