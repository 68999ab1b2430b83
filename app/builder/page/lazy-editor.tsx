import { type ComponentProps, type ComponentType, createElement, type ReactNode } from "react";
import { makeLazyModule } from "~/ui/lazy-module";
import { type CallTemplate, findMailKind } from "../draft/draft";
import { LOADING_FORM } from "../draft/messages";
import { fileFields } from "../forms/lazy-file-field";

type EditorParts = typeof import("./editor-parts");

const editor = makeLazyModule(() => import("./editor-parts"));

/** True when a preset's form is an editor, or has a file field. */
export function needsEditor(template: Pick<CallTemplate, "path" | "method" | "fields">): boolean {
  return findMailKind(template) !== null || template.fields.some(({ type }) => type === "file");
}

/**
 * Loads the editors and file fields: before a page that shows one starts, and when a person is about to open one.
 */
export async function loadEditor(): Promise<void> {
  await Promise.all([editor.load(), fileFields.load()]);
}

/** Functions of the editor chunk for the page itself; null until it is loaded, and when there is no editor. */
export const useEditor = editor.useModule;

export const AutosaveLine = makePart("AutosaveLine", null);
export const MailForm = makePart("MailForm", <p className="p-4 text-dim">{LOADING_FORM}</p>);
export const MailPreview = makePart("MailPreview", null);
export const Tips = makePart("Tips", null);
export const SendBar = makePart("SendBar", null);
export const TestedPdf = makePart("TestedPdf", null);

type Component = "AutosaveLine" | "MailForm" | "MailPreview" | "SendBar" | "TestedPdf" | "Tips";

function makePart<Name extends Component>(name: Name, fallback: ReactNode) {
  return function EditorPart(props: ComponentProps<EditorParts[Name]>) {
    const loaded = editor.useModule();
    return loaded ? createElement(loaded[name] as ComponentType<object>, props) : fallback;
  };
}
