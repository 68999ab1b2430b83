import type { ReactNode } from "react";
import { CUSTOM } from "~/catalogue/types";
import { FORM_ID } from "../forms/form-context";
import { ModeNotice } from "../send/mode-switch";
import type { ShownView } from "./builder-view";
import { AutosaveLine, needsEditor } from "./lazy-chunks";
import { RequestBar } from "./request-bar";
import { RequestParts } from "./request-parts";
import { ReferenceNotice, RequestSettings, SecurityCard } from "./request-settings";
import type { BuilderParts } from "./use-builder";

/** Buttons that post the form also with JavaScript: for a card payment, and to make a list. */
const POSTED = ["buy", "list"];

interface RequestFormProps {
  view: ShownView;
  builder: BuilderParts;
  action: string;
  block: string | null;
  obstacles: ReactNode;
  modeSwitch: ReactNode;
  sendButton: ReactNode;
}

/** Shows the form of the request. It posts to the page where JavaScript is off. */
export function RequestForm(props: RequestFormProps) {
  const { view, builder, action, block, obstacles, modeSwitch, sendButton } = props;
  const { choices, request, mode, tested, mail, submit } = builder;
  const { draft, call, custom, kind, liveMailType } = request;
  return (
    <form
      ref={submit.form}
      id={FORM_ID}
      aria-label="Request"
      data-live={mode.until === null ? undefined : ""}
      data-editor={needsEditor(call) ? "" : undefined}
      method="post"
      action={`${action}#response`}
      encType="multipart/form-data"
      noValidate
      className="between-bars flex min-w-0 flex-col"
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent as SubmitEvent;
        // These post the form, so that the server has the draft.
        if (submitter instanceof HTMLButtonElement && POSTED.includes(submitter.value)) return;
        event.preventDefault();
        void submit.send(draft);
      }}
      onKeyDown={(event) => {
        // Live mail is sent by its button only, never by Enter in a field.
        const typing = event.target instanceof HTMLInputElement;
        if (event.key === "Enter" && typing && liveMailType !== null) event.preventDefault();
      }}
    >
      <input type="hidden" name="idempotency_key" value={submit.draftKey} />
      {draft.fallbackRecipient ? <input type="hidden" name="recipient_fallback" value="1" /> : null}
      <input type="hidden" name="expect_live" value={liveMailType === null ? "0" : "1"} />
      {mode.until === null ? null : <input type="hidden" name="live_until" value={mode.until} />}
      {view.testedPieceId && tested.piece === null ? (
        <input type="hidden" name="tested_piece_id" value={view.testedPieceId} />
      ) : null}
      <RequestBar
        builder={builder}
        block={block}
        signedIn={view.signedIn}
        modeSwitch={kind ? null : modeSwitch}
        sendButton={kind ? null : sendButton}
      />
      <RequestSettings view={view} choices={choices} />
      {custom ? (
        <h1 className="border-line border-b px-4 py-2.5 text-lead">{CUSTOM.label}</h1>
      ) : (
        <ReferenceNotice preset={view.preset} brief={kind !== null} />
      )}
      <ModeNotice mode={mode} blocked={request.blockedInTest} />
      {kind ? <AutosaveLine kind={kind} autosave={mail.autosave} /> : null}
      {/* The editors have them beside the button. */}
      {kind ? null : <div className="px-4 pt-4 empty:hidden">{obstacles}</div>}
      <RequestParts
        key={`${request.presetKey} ${mail.autosave.freshStarts}`}
        view={view}
        builder={builder}
        modeSwitch={modeSwitch}
      />
      <noscript>
        <p className="px-4 pb-4">
          <button type="submit" name="intent" value="update" formAction={action} className="button">
            Update without sending
          </button>
        </p>
      </noscript>
      <div className="mt-auto">
        <SecurityCard hasServerKey={view.hasServerKey} />
      </div>
    </form>
  );
}
