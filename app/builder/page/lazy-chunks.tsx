import type { PresetCall } from "~/catalogue/types";
import { makeLazyModule } from "~/ui/lazy-module";
import { findMailKind } from "../draft/draft";
import { LOADING_FORM } from "../draft/messages";

const answer = makeLazyModule(() => import("./answer-chunk"));
const editor = makeLazyModule(() => import("./editor-chunk"));

/** Loads what shows answers: before a page that has one starts, after any other one has started, and before a send. */
export const loadAnswerParts = answer.load;

export const AnswerView = answer.makePart("AnswerView");
export const ResponseView = answer.makePart("ResponseView");
export const Example = answer.makePart("Example");
/** A history that cannot be shown is not in the way of the request that is being written. */
export const HistoryList = answer.makePart("HistoryList", { optional: true });
export const SavePanel = answer.makePart("SavePanel");
export const SendAnyway = answer.makePart("SendAnyway");
export const SendTested = answer.makePart("SendTested");
export const WelcomePanel = answer.makePart("WelcomePanel");

/** True when a preset's form is an editor, or has a file field. */
export function needsEditor(call: Pick<PresetCall, "path" | "method" | "fields">): boolean {
  return findMailKind(call) !== null || call.fields.some(({ type }) => type === "file");
}

/** Loads the editors and file fields: before a page that shows one starts, and when a person is about to open one. */
export const loadEditor = editor.load;

/** Functions of the editor chunk for the page itself; null until it is loaded, and when there is no editor. */
export const useEditor = editor.useModule;

export const AutosaveLine = editor.makePart("AutosaveLine");
export const FileField = editor.makePart("FileField", {
  fallback: <p className="text-dim">{LOADING_FORM}</p>,
});
export const MailForm = editor.makePart("MailForm", {
  fallback: <p className="p-4 text-dim">{LOADING_FORM}</p>,
});
export const MailPreview = editor.makePart("MailPreview");
export const Tips = editor.makePart("Tips");
export const SendBar = editor.makePart("SendBar");
export const TestedPdf = editor.makePart("TestedPdf");

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
