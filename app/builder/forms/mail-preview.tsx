import { useMemo } from "react";
import type { Finding } from "~/print/layout/finding";
import { parseMeasured } from "~/print/layout/measured";
import { buildPreviewState, type PreviewState } from "~/print/layout/preview-content";
import type { FirstLetter } from "~/print/preview/ask-server";
import { Preview } from "~/print/preview/preview";
import type { PreviewView } from "~/print/preview/preview-view";
import { Notice } from "~/ui/notice";
import { useRemembered } from "~/ui/use-remembered";
import { type Draft, isTypedByHand, type MailKind } from "../draft/draft";
import { type ListedRecipient, toPreviewValues } from "../draft/recipients";
import { FORM_ID, useForm } from "./form-context";

export const PREVIEW_NOT_SENT =
  "You edited the body by hand. This preview shows the form, which will not be sent.";

export function MailPreview({
  kind,
  view,
  letter,
  onFindings,
}: {
  kind: MailKind;
  /** The zoom and side that were shown when the form was posted. */
  view: PreviewView | undefined;
  letter: FirstLetter | null;
  onFindings: (findings: Finding[]) => void;
}) {
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
  kind: MailKind,
  { values, files }: Draft,
  recipients: readonly ListedRecipient[],
  home: "US" | "GB",
): PreviewState {
  return buildPreviewState({
    kind,
    values: toPreviewValues(values),
    files,
    recipients,
    home,
  });
}
