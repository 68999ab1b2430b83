import { type ComponentProps, type ComponentType, createElement } from "react";
import { makeLazyModule } from "~/ui/lazy-module";
import { loadEditor } from "./lazy-editor";

type Parts = typeof import("./answer-parts");

const parts = makeLazyModule(() => import("./answer-parts"));

/** Loads what shows answers: before a page that has one starts, after any other one has started, and before a send. */
export const loadAnswerParts = parts.load;

export const AnswerView = makePart("AnswerView");
export const ResponseView = makePart("ResponseView");
export const Example = makePart("Example");
export const ReopenNotice = makePart("ReopenNotice");
export const SavePanel = makePart("SavePanel");
export const SendAnyway = makePart("SendAnyway");
export const SendTested = makePart("SendTested");
export const WelcomePanel = makePart("WelcomePanel");

/** A history that cannot be shown is not in the way of the request that is being written. */
export function HistoryList(props: ComponentProps<Parts["HistoryList"]>) {
  const loaded = parts.useModuleIfLoaded();
  return loaded ? <loaded.HistoryList {...props} /> : null;
}

function makePart<Name extends keyof Parts>(name: Name) {
  return function AnswerPart(props: ComponentProps<Parts[Name]>) {
    const loaded = parts.useModule();
    return loaded ? createElement(loaded[name] as ComponentType<object>, props as object) : null;
  };
}

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
