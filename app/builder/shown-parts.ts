import { loadEditor } from "./editor/lazy-editor";
import { loadAnswerParts } from "./response/lazy-answer";

/**
 * Loads what the server's HTML of this page shows beside what every page of the Builder needs. False when an answer on
 * it would be lost, because the code that shows it cannot be loaded.
 */
export async function loadShownParts(): Promise<boolean> {
  const [shows] = await Promise.all([
    document.querySelector("[data-answer]") === null || loadAnswerParts(),
    document.querySelector("[data-editor]") && loadEditor(),
  ]);
  return shows;
}
