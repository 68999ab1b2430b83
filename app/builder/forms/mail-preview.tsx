import { useMemo } from "react";
import type { MailType } from "~/pieces/mail-type";
import type { Finding } from "~/print/layout/finding";
import { parseMeasured } from "~/print/layout/measured";
import { buildPreviewState, type PreviewState } from "~/print/layout/preview-content";
import type { FirstLetter } from "~/print/preview/ask-server";
import { Preview } from "~/print/preview/preview";
import type { PreviewView } from "~/print/preview/preview-view";
import { Notice } from "~/ui/notice";
import { useRemembered } from "~/ui/use-remembered";
import { type Draft, isTypedByHand } from "../draft/draft";
import { isRecipientId, keepChosenRecipient, type ListedRecipient } from "../draft/recipients";
import { FORM_ID, useForm } from "./form-context";

export const PREVIEW_NOT_SENT =
  "You edited the body by hand. This preview shows the form, which will not be sent.";

interface MailPreviewProps {
  kind: MailType;
  /** The zoom and side that were shown when the form was posted. */
  view: PreviewView | undefined;
  letter: FirstLetter | null;
  onFindings: (findings: Finding[]) => void;
}

export function MailPreview({ kind, view, letter, onFindings }: MailPreviewProps) {
  const { draft, listed, action, home, baseUrl } = useForm();
  const typed = isTypedByHand(draft);
  const built = useMemo(() => buildState(kind, draft, listed, home), [kind, draft, listed, home]);
  const [measured] = useMeasured(baseUrl, built);
  const state = useMemo(() => ({ ...built, measured: parseMeasured(measured) }), [built, measured]);
  return (
    <>
      {typed ? (
        <div className="p-4 pb-0">
          <Notice tone="warn" urgent>
            {PREVIEW_NOT_SENT}
          </Notice>
        </div>
      ) : null}
      <Preview
        state={state}
        view={view}
        letter={letter}
        formId={FORM_ID}
        updateAction={action}
        baseUrl={baseUrl}
        onFindings={onFindings}
      />
    </>
  );
}

/** Text positions in the last test of this kind and size, as JSON from this browser's store. */
export function useMeasured(baseUrl: string, { kind, size }: PreviewState) {
  return useRemembered<string>(`measured.${baseUrl}.${kind === "letter" ? kind : size}`, "");
}

/** Builds the part of a draft that is drawn and checked. */
export function buildState(
  kind: MailType,
  { values, files }: Draft,
  recipients: readonly ListedRecipient[],
  home: "US" | "GB",
): PreviewState {
  const chosen = keepChosenRecipient(values);
  // A name in the search field is not a recipient.
  const shown = isRecipientId(chosen.recipient ?? "") ? chosen : { ...chosen, recipient: "" };
  return buildPreviewState({ kind, values: shown, files, recipients, home });
}
