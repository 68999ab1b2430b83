import { useMemo } from "react";
import { buildPreviewState } from "~/print/layout/preview-content";
import { Preview } from "~/print/preview/preview";
import type { PreviewView } from "~/print/preview/preview-view";
import { Notice } from "~/ui/notice";
import { type Draft, isTypedByHand } from "../draft";
import { Checklist } from "./checklist";
import type { MailKind } from "./mail-kind";
import type { RecipientsView } from "./use-recipients";

const NOBODY: never[] = [];

/** What stands beside a mail form: the piece as it will print, and what is still needed. */
export function MailPreview({
  kind,
  draft,
  view,
  recipients,
  home,
  formId,
  updateAction,
}: {
  kind: MailKind;
  draft: Draft;
  /** How the proof was looked at when the form was posted. */
  view: PreviewView | undefined;
  recipients: RecipientsView;
  home: "US" | "GB";
  formId: string;
  updateAction: string;
}) {
  const { values, files } = draft;
  const typed = isTypedByHand(draft);
  const listed = recipients.loaded?.state === "loaded" ? recipients.loaded.recipients : NOBODY;
  const state = useMemo(
    () => buildPreviewState({ kind, values, files: selectFileFacts(files), recipients: listed, home }),
    [kind, values, files, listed, home],
  );
  return (
    <>
      {typed ? (
        <div className="p-4 pb-0">
          <Notice tone="warn" urgent>
            The body was typed by hand. This proof and the checks below show the form, which is not what will
            be sent.
          </Notice>
        </div>
      ) : null}
      <Preview state={state} view={view} formId={formId} updateAction={updateAction} />
      <Checklist kind={kind} values={values} used={!typed} />
    </>
  );
}

function selectFileFacts(files: Draft["files"]): Record<string, { name: string; pages?: number }> {
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => [
      name,
      { name: file.name, pages: file.facts?.kind === "pdf" ? file.facts.pages : undefined },
    ]),
  );
}
