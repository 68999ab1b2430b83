import { useFetcher, useNavigation, useRevalidator } from "@remix-run/react";
import { useCallback, useRef, useState } from "react";
import { buildAddressCheckNote } from "./address-check/check-address";
import { useAddressCheck } from "./address-check/use-address-check";
import { findDraftOrigin, toLiveStep } from "./autosave/draft-origin";
import { type DraftOrigin, useAutosave } from "./autosave/use-autosave";
import type { Draft } from "./draft";
import { findMailKind } from "./editor/mail-kind";
import { useRecipients } from "./editor/use-recipients";
import type { HistoryEntry } from "./history/history";
import { useHistory } from "./history/use-history";
import { findLiveMailType } from "./mode/mail-type";
import { useDraftInMode } from "./mode/use-draft-in-mode";
import { useMode } from "./mode/use-mode";
import { buildRequest, findSendBlock, listProblems } from "./request/request";
import { isRefused } from "./response/answer";
import { useSend } from "./response/use-send";
import { buildTestedRequest, turnLive } from "./send-tested/tested-piece";
import { useTestedPiece } from "./send-tested/use-tested-piece";
import type { DraftChange } from "./use-draft";
import { useEarlyInput } from "./use-early-input";
import { type ArrivalTask, usePresetNavigation } from "./use-preset-navigation";
import { useShortcuts } from "./use-shortcuts";
import type { BuilderPageView, Posted } from "./view";

/** The Builder tab's state: the draft with its mode and what is kept of it, its sending, and what else is chosen. */
export function useBuilder(view: BuilderPageView, posted: Posted | null) {
  const { preset, template } = view;
  const { revalidate } = useRevalidator();
  const preferences = useFetcher();
  const history = useHistory();
  const form = useRef<HTMLFormElement>(null);
  const [baseLabel, setBaseLabel] = useState(view.base.label);
  const [userId, setUserId] = useState(view.userId);
  const [opened, setOpened] = useState<DraftOrigin>(() => findDraftOrigin(view, posted));
  const [attempted, setAttempted] = useState(posted?.attempted ?? false);
  const [dropped, setDropped] = useState<string[]>([]);
  const [fileProblems, setFileProblems] = useState(posted?.fileProblems ?? []);
  const {
    run,
    send: post,
    stop,
    clear,
  } = useSend(
    posted?.answer ? { about: `${posted.draft.method} ${posted.draft.path}`, answer: posted.answer } : null,
  );
  const loading = run.state === "loading";
  const [sendingLive, setSendingLive] = useState(false);
  const mode = useMode(posted?.mode ?? null, loading && sendingLive);
  const { draft, revision, change: write } = useDraftInMode(template, posted?.draft ?? view.kept, mode);
  const change = useCallback(
    (asked: DraftChange) => {
      // What was said of a field's file is over with the next one.
      if (asked.type === "file") setFileProblems((said) => said.filter(({ field }) => field !== asked.name));
      write(asked);
    },
    [write],
  );
  useShortcuts(form);

  const [draftKey] = useState(posted?.draftKey ?? view.draftKey);
  const base = view.baseUrls.find((option) => option.label === baseLabel) ?? view.base;
  const around = { baseUrl: base.url, userId };
  const proof = useTestedPiece(posted, around);
  const moving = useNavigation().state !== "idle";
  const arrived = `${preset.id} ${preset.documented}`;
  const reopen = (next?: Draft) => {
    change({ type: "open", template, draft: next });
    setDropped([]);
    setAttempted(false);
    setFileProblems([]);
    mode.say(null);
    proof.drop();
    clear();
  };
  const start = (opening: ArrivalTask = view.kept ? { draft: view.kept } : {}) => {
    reopen(opening.draft);
    setDropped(opening.dropped ?? []);
    setOpened({ as: opening.draft || opening.send ? "chosen" : "fresh" });
  };

  const live = mode.until !== null;
  const mailed = findLiveMailType(draft, template);
  const liveMailType = live ? mailed : null;
  const blockedInTest = !live && mailed !== null && view.signedIn;
  const problems = [...fileProblems, ...(attempted ? listProblems(draft, template) : [])];
  const kind = findMailKind(template);
  // The mail forms alone, and for who is signed in.
  const [viewerId] = useState(view.users.find((user) => user.isAuthenticatedUser)?.id ?? null);
  const keptKey = kind && viewerId ? `${viewerId} ${arrived}` : null;
  const kept = useAutosave({ key: keptKey, template, draft, opened, reopen });
  const recipients = useRecipients(
    kind !== null && view.signedIn,
    { baseUrl: base.url, userId, initial: posted?.recipients ?? null },
    (some) => change({ type: "recipients", some }),
  );
  const addressCheck = useAddressCheck(
    draft,
    { base, userId, opened: arrived, initial: posted?.addressCheck ?? null },
    change,
  );
  const block = findSendBlock(draft);

  /** `promotedId`: of the proof that is promoted by it. `twinId`: of the send that mailed the same piece, as known. */
  const send = async (sent: Draft, promotedId: string | null = null, twinId: string | null = null) => {
    const promoting = promotedId !== null;
    if (!promoting && (mode.endIfOver() || blockedInTest)) return;
    mode.say(null);
    setAttempted(true);
    const whole = promoting ? turnLive(sent, template) : sent;
    const ready = listProblems(whole, template).length === 0 && findSendBlock(whole) === null;
    if (!ready) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    }
    if (!ready || loading || !view.signedIn) return;
    const request = promoting ? buildTestedRequest(sent, template) : buildRequest(sent, template);
    const expectLive = promoting || liveMailType !== null;
    setSendingLive(expectLive);
    const hold = proof.begin(sent);
    const tellKept = expectLive ? kept.beginLive(sent) : null;
    const answer = await post({
      ...request,
      baseUrl: base.url,
      auth: { strategy: "env" },
      flags: { appendJson: base.appendJson },
      user_id: userId,
      expect_live: expectLive,
      ...(promoting ? { tested_piece_id: promotedId } : { idempotency_key: `${draftKey}.${revision}` }),
      known_duplicate: twinId,
      endpoint_preset: preset.id,
      ...buildAddressCheckNote(addressCheck.check, sent),
    });
    if (promoting) {
      mode.switchTo(false);
      proof.promoted(promotedId, answer);
    } else hold(answer);
    tellKept?.(toLiveStep(answer));
    if (isRefused(answer)) change({ type: "again" });
    if (answer.kind !== "stopped" && answer.response?.credits) revalidate();
    if (answer.kind === "failed" && answer.response === null) return;
    history.add({
      ts: Date.now(),
      method: request.method,
      path: request.path,
      status: answer.kind === "stopped" ? null : (answer.response?.status ?? null),
      presetId: preset.id,
      documented: preset.documented,
      baseLabel: base.label,
      draft: sent,
    });
  };
  const open = usePresetNavigation(arrived, start, () => {
    if (liveMailType === null) void send(draft);
    else mode.say("not_loaded_and_sent");
  });
  const openEntry = (entry: HistoryEntry) => {
    if (view.baseUrls.some((option) => option.label === entry.baseLabel)) setBaseLabel(entry.baseLabel);
    open(entry.presetId, entry.documented, { draft: entry.draft, dropped: entry.dropped });
  };
  const chooseBase = (label: string) => {
    setBaseLabel(label);
    preferences.submit({ base: label }, { method: "post", action: "/preferences" });
  };
  const chooseUser = (id: string) => {
    setUserId(id);
    preferences.submit({ userId: id }, { method: "post", action: "/preferences" });
  };
  useEarlyInput(form, { change, onBase: chooseBase, onUser: chooseUser });

  return {
    form,
    base,
    chooseBase,
    userId,
    chooseUser,
    around,
    draft,
    draftKey,
    change,
    arrived,
    dropped,
    problems,
    kind,
    kept,
    recipients,
    addressCheck,
    history,
    open,
    openEntry,
    mode,
    live,
    liveMailType,
    blockedInTest,
    block,
    moving,
    run,
    loading,
    sendingLive,
    send,
    stop,
    proof,
  };
}
