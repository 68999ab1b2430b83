import { useFetcher, useNavigation, useRevalidator } from "@remix-run/react";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { CUSTOM } from "~/catalogue/custom";
import type { LiveStep } from "../draft/autosaver";
import {
  type CallTemplate,
  type ChosenFile,
  type Draft,
  findMailKind,
  isCustom,
  selectCall,
} from "../draft/draft";
import { ANSWER_NOT_LOADED } from "../draft/messages";
import { findLiveMailType } from "../draft/mode";
import { readAddress } from "../draft/read-address";
import { hasRecipients, type ListedRecipient } from "../draft/recipients";
import { findSendBlock, listProblems } from "../draft/request";
import { type DraftOrigin, useAutosave } from "../draft/use-autosave";
import { type DraftChange, useDraftInMode } from "../draft/use-draft";
import { useMode } from "../draft/use-mode";
import { useProviderList } from "../forms/use-provider-list";
import { findAnswer, formatEarlier, type HistoryEntry, keepAnswer } from "../history/history";
import { useHistory } from "../history/use-history";
import { type Answer, isRefused } from "../send/answer";
import { buildProxyRequest } from "../send/proxy-request";
import { turnLive } from "../send/tested-piece";
import { useAddressCheck } from "../send/use-address-check";
import { useSend } from "../send/use-send";
import { useTestedPiece } from "../send/use-tested-piece";
import type { BuilderPageView, Posted } from "./builder-view";
import { loadAnswerParts } from "./lazy-answer";
import { useEditor } from "./lazy-editor";
import { usePastedCurl } from "./paste-curl";
import { useEarlyInput } from "./use-early-input";
import { type ArrivalTask, usePresetNavigation } from "./use-preset-navigation";

const NO_RECIPIENTS: ListedRecipient[] = [];

interface AwaitedFile {
  /** The field it is read for. */
  name: string;
  /** What was attached until then. */
  before: ChosenFile | undefined;
}

/** The state of the Builder tab: the draft with its mode and autosave, sending, and the chosen base URL and user. */
export function useBuilder(view: BuilderPageView, posted: Posted | null) {
  const { preset, template: opened } = view;
  const { revalidate } = useRevalidator();
  const preferences = useFetcher();
  const [viewerId] = useState(view.users.find((user) => user.isAuthenticatedUser)?.id ?? null);
  const history = useHistory(viewerId);
  const form = useRef<HTMLFormElement>(null);
  const [baseLabel, setBaseLabel] = useState(view.base.label);
  const [userId, setUserId] = useState(view.userId);
  const [origin, setOrigin] = useState<DraftOrigin>(() => findDraftOrigin(view, posted));
  const [attempted, setAttempted] = useState(posted?.attempted ?? false);
  const [dropped, setDropped] = useState<string[]>([]);
  const [postProblems, setPostProblems] = useState(posted?.postProblems ?? []);
  const {
    run,
    send: runRequest,
    stop,
    clear,
    show: showAnswer,
  } = useSend(
    posted?.answer ? { about: `${posted.draft.method} ${posted.draft.path}`, answer: posted.answer } : null,
  );
  const loading = run.state === "loading";
  const preparing = useRef(false);
  const [sendingLive, setSendingLive] = useState(false);
  /** The files that a test waits for before it is sent; null where none does. */
  const [awaited, setAwaited] = useState<AwaitedFile[] | null>(null);
  const mode = useMode(posted?.mode ?? null, loading && sendingLive);
  const {
    draft,
    revision,
    reading,
    change: write,
  } = useDraftInMode(opened, posted?.draft ?? view.initialDraft, mode);
  const template = useMemo(() => selectCall(draft, opened), [draft, opened]);
  const custom = isCustom(template);
  const change = useCallback(
    (asked: DraftChange) => {
      // Another file replaces the problem of the one before.
      if (asked.type === "file") setPostProblems((last) => last.filter(({ field }) => field !== asked.name));
      if (asked.type === "pairs") setPostProblems((last) => last.filter(({ field }) => field !== null));
      write(asked);
    },
    [write],
  );
  const [draftKey] = useState(posted?.draftKey ?? view.draftKey);
  const base = view.baseUrls.find((option) => option.label === baseLabel) ?? view.base;
  const choices = { baseUrl: base.url, userId };
  const tested = useTestedPiece(posted, { offer: view.tested, draft: view.initialDraft }, choices);
  const curl = usePastedCurl(posted?.curl ?? null, base.label, ({ opened, notes }) => {
    setBaseLabel(opened.baseLabel);
    open(opened.presetId, opened.documented, { draft: opened.draft, curl: { notes } });
  });
  const moving = useNavigation().state !== "idle";
  const presetKey = `${preset.id} ${preset.documented}`;
  const replaceDraft = (next?: Draft) => {
    change({ type: "open", template: opened, draft: next });
    setDropped([]);
    setAttempted(false);
    setAwaited(null);
    setPostProblems([]);
    curl.show(null);
    mode.showMessage(null);
    tested.drop();
    clear();
  };
  const start = (task: ArrivalTask = view.initialDraft ? { draft: view.initialDraft } : {}) => {
    replaceDraft(task.draft);
    setDropped(task.dropped ?? []);
    curl.show(task.curl ?? null);
    const { earlier } = task;
    if (earlier)
      void findAnswer(earlier).then((answer) => answer && showAnswer(formatEarlier(earlier), answer));
    setOrigin({ as: task.draft || task.send ? "chosen" : "fresh" });
  };

  const { answerOf } = view;
  const stored = useRef(`${draft.method} ${draft.path}`);
  useEffect(() => {
    if (answerOf === null) return;
    void findAnswer({ responseId: answerOf }).then((answer) => answer && showAnswer(stored.current, answer));
  }, [answerOf, showAnswer]);

  const live = mode.until !== null;
  const draftMailType = findLiveMailType(draft, template);
  const liveMailType = live ? draftMailType : null;
  useShortcuts(form, {
    live: liveMailType !== null,
    onLiveRefused: () => mode.showMessage("not_by_shortcut"),
  });
  const blockedInTest = !live && draftMailType !== null && view.signedIn;
  const kind = findMailKind(template);
  const autosaved = findMailKind(opened) !== null;
  const editor = useEditor(autosaved);
  // Only the mail forms are autosaved, and only for a signed-in person.
  const autosaveKey = autosaved && viewerId ? `${viewerId} ${presetKey}` : null;
  const autosave = useAutosave({ editor, key: autosaveKey, template: opened, draft, origin, replaceDraft });
  const account = { baseUrl: base.url, userId };
  const recipients = useProviderList(
    editor?.loadRecipients ?? null,
    kind !== null && view.signedIn,
    { ...account, initial: posted?.recipients ?? null },
    (loaded) => change({ type: "recipients", some: hasRecipients(loaded) }),
  );
  // Only when a person asks for them.
  const templates = useProviderList(editor?.loadTemplates ?? null, false, {
    ...account,
    initial: posted?.templates ?? null,
  });
  const listed = recipients.loaded?.state === "loaded" ? recipients.loaded.recipients : NO_RECIPIENTS;
  const problems = [...postProblems, ...(attempted ? listProblems(draft, template, listed) : [])];
  const addressCheck = useAddressCheck(
    editor,
    draft,
    { base, userId, presetKey, initial: posted?.addressCheck ?? null },
    change,
  );
  const block = findSendBlock(draft);

  /**
   * @param testedPieceId sends that tested piece live
   * @param knownDuplicateId the earlier send of the same piece that the user knows about
   */
  const send = async (
    sent: Draft,
    testedPieceId: string | null = null,
    knownDuplicateId: string | null = null,
  ) => {
    const sendingTested = testedPieceId !== null;
    if (!sendingTested && (mode.endIfOver() || blockedInTest)) return;
    mode.showMessage(null);
    if (!sendingTested && reading.length > 0) {
      if (liveMailType === null) setAwaited(reading.map((name) => ({ name, before: sent.files[name] })));
      return;
    }
    setAttempted(true);
    const checked = sendingTested ? turnLive(sent, template) : sent;
    const ready = listProblems(checked, template, listed).length === 0 && findSendBlock(checked) === null;
    if (!ready) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    }
    if (!ready || loading || preparing.current || !view.signedIn) return;
    // Nothing is sent whose answer this page could not show.
    preparing.current = true;
    const shows = await loadAnswerParts();
    preparing.current = false;
    if (!shows) {
      setPostProblems([{ field: null, message: ANSWER_NOT_LOADED }]);
      return;
    }
    const expectLive = sendingTested || liveMailType !== null;
    setSendingLive(expectLive);
    const noteTested = tested.begin(sent);
    // An unchanged draft has the key that its form posts without JavaScript, so sending both ways sends it once.
    const idempotencyKey = revision === 0 ? draftKey : `${draftKey}.${revision}`;
    const noteLiveStep = expectLive ? autosave.beginLive(sent, testedPieceId ?? idempotencyKey) : null;
    const request = buildProxyRequest(sent, template, {
      base,
      userId,
      presetId: custom ? CUSTOM.id : preset.id,
      expectLive,
      testedPieceId,
      idempotencyKey,
      knownDuplicateId,
      addressCheck: addressCheck.check,
    });
    const answer = await runRequest(request);
    if (sendingTested) {
      mode.switchTo(false);
      tested.noteSent(testedPieceId, answer);
    } else noteTested(answer);
    noteLiveStep?.(toLiveStep(answer));
    if (isRefused(answer)) change({ type: "again" });
    if (answer.kind !== "stopped" && answer.response?.credits) revalidate();
    if (answer.kind === "failed" && answer.response === null) return;
    const ts = Date.now();
    keepAnswer(ts, answer);
    const responseId = answer.kind === "stopped" ? undefined : answer.response?.response_id;
    history.add({
      ts,
      query: request.query,
      ...(responseId ? { responseId } : {}),
      method: request.method,
      path: request.path,
      status: answer.kind === "stopped" ? null : (answer.response?.status ?? null),
      presetId: custom ? CUSTOM.id : preset.id,
      documented: preset.documented && !custom,
      baseLabel: base.label,
      draft: sent,
    });
  };
  useEffect(() => {
    if (awaited === null || reading.length > 0) return;
    setAwaited(null);
    // Nothing is sent without a file that was refused or given up.
    const taken = awaited.every(({ name, before }) => draft.files[name] && draft.files[name] !== before);
    if (taken) void send(draft);
  });
  const open = usePresetNavigation(presetKey, start, () => {
    if (liveMailType === null) void send(draft);
    else mode.showMessage("not_loaded_and_sent");
  });
  const openEntry = (entry: HistoryEntry) => {
    if (view.baseUrls.some((option) => option.label === entry.baseLabel)) setBaseLabel(entry.baseLabel);
    open(entry.presetId, entry.documented, { draft: entry.draft, dropped: entry.dropped, earlier: entry });
  };
  const remember = (choice: Record<string, string>) => {
    // Offline Remix cannot load the route's script, and reloads the page.
    if (navigator.onLine) preferences.submit(choice, { method: "post", action: "/preferences" });
  };
  const chooseBase = (label: string) => {
    setBaseLabel(label);
    remember({ base: label });
  };
  const chooseUser = (id: string) => {
    setUserId(id);
    remember({ userId: id });
  };
  /** Reads the path as an address, once it is typed or pasted. */
  const readPath = (path: string) => {
    const read = readAddress({ ...draft, path }, opened, base, view.baseUrls);
    setBaseLabel(read.base.label);
    if (path !== draft.path || read.draft.path !== path) {
      change({ type: "open", template: opened, draft: read.draft });
    }
  };
  useEarlyInput(form, { change, onBase: chooseBase, onUser: chooseUser });

  return {
    form,
    base,
    chooseBase,
    userId,
    chooseUser,
    choices,
    draft,
    template,
    custom,
    draftKey,
    change,
    readPath,
    presetKey,
    dropped,
    problems,
    kind,
    autosave,
    recipients,
    templates,
    listed,
    addressCheck,
    history,
    open,
    openEntry,
    curl,
    mode,
    live,
    liveMailType,
    blockedInTest,
    block,
    reading: reading.length > 0,
    awaiting: awaited !== null,
    moving,
    run,
    loading,
    sendingLive,
    send,
    stop,
    tested,
  };
}

/** Where the draft of a page from the server comes from. */
export function findDraftOrigin(
  view: { template: CallTemplate; initialDraft: Draft | null },
  posted: { draft: Draft; answer: Answer | null } | null,
): DraftOrigin {
  if (!posted) return { as: view.initialDraft ? "given" : "fresh" };
  const { draft, answer } = posted;
  const live = findLiveMailType(draft, view.template) !== null;
  return { as: "given", mailed: live && answer !== null && toLiveStep(answer) === "accepted" };
}

/** What an answer to a live send means for the autosaved draft. */
export function toLiveStep(answer: Answer): LiveStep {
  if (isRefused(answer)) return "refused";
  const done = answer.kind === "answered" && answer.response.error === null && !answer.response.pending;
  return done ? "accepted" : "unknown";
}

/**
 * Ctrl or Cmd with Enter sends; the other shortcuts are every page's. Live mail is sent by its button only: for it,
 * `onLiveRefused` is called instead.
 */
function useShortcuts(
  form: RefObject<HTMLFormElement>,
  { live, onLiveRefused }: { live: boolean; onLiveRefused: () => void },
): void {
  const now = useRef({ live, onLiveRefused });
  now.current = { live, onLiveRefused };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        if (now.current.live) {
          // On a focused button the browser would press it.
          event.preventDefault();
          now.current.onLiveRefused();
        } else {
          const send = document.querySelector<HTMLButtonElement>('button[value="send"]:not([aria-hidden])');
          if (send?.form === form.current) send?.click();
        }
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [form]);
}
