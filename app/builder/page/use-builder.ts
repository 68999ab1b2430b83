import { useNavigation } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { listCorrections, type Opening } from "../draft/builder-state";
import { findMailKind } from "../draft/draft";
import { useMode } from "../draft/mode";
import {
  type AddressCheck,
  type LoadedList,
  listRows,
  parseAddress,
  takeCorrections,
} from "../draft/recipients";
import { listProblems } from "../draft/request";
import { useAutosave } from "../draft/use-autosave";
import type { AddressCheckView, ListView } from "../forms/form-context";
import { useHistory } from "../history/history";
import type { checkAddress } from "../send/check-address";
import { useTestedPiece } from "../send/tested-piece";
import { formatCall, postToProxy, useSend } from "../send/use-send";
import type { ShownView } from "./builder-view";
import { useEditor } from "./lazy-chunks";
import { useEarlyInput } from "./use-early-input";
import { useOpening } from "./use-opening";
import { type Choices, type RequestState, useChoices, useRequest } from "./use-request";
import { useSubmit } from "./use-submit";

export type BuilderParts = ReturnType<typeof useBuilder>;

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
    request.change({ type: "open", call: view.presetCall, ...opening });
    // A draft opens as a test, as its notices say.
    if (opening.draft) mode.switchTo(false);
    else mode.showMessage(null);
    tested.drop();
    sending.clear();
  };
  const mail = useMailParts(view, viewerId, choices, request, replaceDraft);
  const submit = useSubmit(view, { choices, request, mode, tested, sending, mail, history });
  const opening = useOpening(view, { choices, request, mode, sending, submit, replaceDraft });
  useEarlyInput(submit.form, request.change, choices);
  const moving = useNavigation().state !== "idle";
  return { choices, request, mode, tested, mail, submit, opening, sending, history, moving };
}

/** The parts that only the two mail forms have: the autosaved draft, the account's lists, and the address check. */
function useMailParts(
  view: ShownView,
  viewerId: string | null,
  choices: Choices,
  request: RequestState,
  replaceDraft: (opening: Opening) => void,
) {
  const { draft, call, opened, change, presetKey, origin } = request;
  const autosaved = findMailKind(opened) !== null;
  const editor = useEditor(autosaved);
  const autosave = useAutosave({
    editor,
    // Only the mail forms are autosaved, and only for a signed-in person.
    key: autosaved && viewerId ? `${viewerId} ${presetKey}` : null,
    call: opened,
    draft,
    origin,
    replaceDraft: (saved) => replaceDraft({ draft: saved }),
  });
  const recipients = useProviderList(
    editor?.loadRecipients ?? null,
    request.kind !== null && view.signedIn,
    choices.sent,
    view.recipients,
    (loaded) => change({ type: "recipients", some: listRows(loaded).length > 0 }),
  );
  // Only when a person asks for them.
  const providerTemplates = useProviderList(
    editor?.loadTemplates ?? null,
    false,
    choices.sent,
    view.providerTemplates,
  );
  const addressCheck = useAddressCheck(editor, request, choices, view.addressCheck);
  const listed = listRows(recipients.loaded);
  // A file that the server refused is not missing too.
  const refused = Object.fromEntries(request.problems.map(({ field }) => [field, "refused"]));
  const checked = { ...draft, values: { ...draft.values, ...refused } };
  const broken = request.attempted ? listProblems(checked, call, listed) : [];
  return {
    autosave,
    recipients,
    providerTemplates,
    listed,
    addressCheck,
    problems: [...request.problems, ...broken],
  };
}

/** A list of the account behind a base URL, loaded as soon as it is wanted and `load` is there, and again for another account. */
function useProviderList<Row>(
  load: ((baseUrl: string, userId: string | null) => Promise<LoadedList<Row>>) | null,
  wanted: boolean,
  { baseUrl, userId }: Choices["sent"],
  initial: LoadedList<Row> | null,
  onLoaded?: (loaded: LoadedList<Row>) => void,
): ListView<Row> {
  const account = `${baseUrl} ${userId}`;
  const [last, setLast] = useState({ account, loaded: initial });
  const [loading, setLoading] = useState(false);
  const latest = useRef(0);
  const notify = useRef(onLoaded);
  notify.current = onLoaded;

  const reload = useCallback(async () => {
    if (load === null) return;
    const current = ++latest.current;
    setLoading(true);
    const next = await load(baseUrl, userId);
    if (latest.current !== current) return;
    setLoading(false);
    setLast({ account, loaded: next });
    notify.current?.(next);
  }, [load, baseUrl, userId, account]);

  useEffect(() => {
    if (wanted) void reload();
    return () => {
      latest.current++;
      setLoading(false);
    };
  }, [wanted, reload]);

  // The IDs of another account belong to other people and templates.
  const loaded = last.account === account ? last.loaded : null;
  return { loaded, loading, reload: () => void reload() };
}

/** The last check of the draft's address, by the code of the editor. */
function useAddressCheck(
  editor: { checkAddress: typeof checkAddress } | null,
  { draft, presetKey, change }: RequestState,
  { base, userId }: Choices,
  initial: AddressCheck | null,
): AddressCheckView {
  const [last, setLast] = useState({ presetKey, check: initial });
  const [checking, setChecking] = useState(false);
  const latest = useRef(0);
  useEffect(
    () => () => {
      latest.current++;
    },
    [],
  );
  const check = last.presetKey === presetKey ? last.check : null;

  const run = async () => {
    if (checking || editor === null) return;
    const current = ++latest.current;
    setChecking(true);
    const result = await editor.checkAddress(parseAddress(draft.values), { base, userId }, (call) =>
      postToProxy(call, "Network error: Mailroom did not answer. Try again in a moment."),
    );
    if (latest.current !== current) return;
    setChecking(false);
    setLast({ presetKey, check: result });
  };
  const take = () => {
    if (check === null) return;
    for (const correction of listCorrections(check)) change(correction);
    setLast({ presetKey, check: takeCorrections(check) });
  };
  return { check, checking, run: () => void run(), take };
}
