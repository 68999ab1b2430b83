import { useNavigation } from "@remix-run/react";
import { useState } from "react";
import type { Opening } from "../draft/builder-state";
import { findMailKind } from "../draft/draft";
import { listRows } from "../draft/recipients";
import { listProblems } from "../draft/request";
import { useAutosave } from "../draft/use-autosave";
import { useMode } from "../draft/use-mode";
import { useProviderList } from "../forms/use-provider-list";
import { useHistory } from "../history/history";
import { useAddressCheck } from "../send/use-address-check";
import { formatCall, useSend } from "../send/use-send";
import { useTestedPiece } from "../send/use-tested-piece";
import type { ShownView } from "./builder-view";
import { useEditor } from "./lazy-parts";
import { useEarlyInput } from "./use-early-input";
import { useOpening } from "./use-opening";
import { type Choices, type RequestState, useChoices, useRequest } from "./use-request";
import { useSubmit } from "./use-submit";

export type BuilderParts = ReturnType<typeof useBuilder>;

/** The parts of the Builder tab, each with one job. */
export function useBuilder(view: ShownView) {
  const [viewerId] = useState(view.users.find((user) => user.isAuthenticatedUser)?.id ?? null);
  const history = useHistory(viewerId);
  const choices = useChoices(view);
  const sending = useSend(
    view.answer && view.initialDraft ? { call: formatCall(view.initialDraft), answer: view.answer } : null,
  );
  const mode = useMode(view.mode, sending.sendingLive);
  const request = useRequest(view, choices, mode);
  const tested = useTestedPiece(view, choices.sent);
  /** Puts another draft into the form and resets the page's messages. */
  const replaceDraft = (opening: Opening) => {
    request.change({ type: "open", template: view.template, ...opening });
    mode.showMessage(null);
    tested.drop();
    sending.clear();
  };
  const mail = useMailParts(view, viewerId, choices, request, replaceDraft);
  const submit = useSubmit(view, { choices, request, mode, tested, sending, mail, history });
  const opening = useOpening(view, { choices, request, mode, sending, submit, replaceDraft });
  useEarlyInput(submit.form, {
    change: request.change,
    onBase: choices.chooseBase,
    onUser: choices.chooseUser,
  });
  const moving = useNavigation().state !== "idle";
  return { choices, request, mode, tested, mail, submit, opening, sending, history, moving };
}

/** The parts that only the two mail forms have: the autosaved draft, the account's lists, and the address check. */
function useMailParts(
  view: ShownView,
  viewerId: string | null,
  { base, userId, sent: account }: Choices,
  request: RequestState,
  replaceDraft: (opening: Opening) => void,
) {
  const { draft, template, opened, change, presetKey, origin } = request;
  const autosaved = findMailKind(opened) !== null;
  const editor = useEditor(autosaved);
  // Only the mail forms are autosaved, and only for a signed-in person.
  const key = autosaved && viewerId ? `${viewerId} ${presetKey}` : null;
  const autosave = useAutosave({
    editor,
    key,
    template: opened,
    draft,
    origin,
    replaceDraft: (saved) => replaceDraft({ draft: saved }),
  });
  const recipients = useProviderList(
    editor?.loadRecipients ?? null,
    request.kind !== null && view.signedIn,
    { ...account, initial: view.recipients },
    (loaded) => change({ type: "recipients", some: listRows(loaded).length > 0 }),
  );
  // Only when a person asks for them.
  const templates = useProviderList(editor?.loadTemplates ?? null, false, {
    ...account,
    initial: view.templates,
  });
  const addressCheck = useAddressCheck(
    editor,
    draft,
    { base, userId, presetKey, initial: view.addressCheck },
    change,
  );
  const listed = listRows(recipients.loaded);
  const broken = request.attempted ? listProblems(draft, template, listed) : [];
  return {
    autosave,
    recipients,
    templates,
    listed,
    addressCheck,
    problems: [...request.problems, ...broken],
  };
}
