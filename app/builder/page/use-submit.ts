import { useRevalidator } from "@remix-run/react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { CUSTOM } from "~/catalogue/types";
import type { Draft } from "../draft/draft";
import { applyMode, type Mode } from "../draft/mode";
import { type ListedRecipient, resolveRecipient } from "../draft/recipients";
import { findSendBlock, listProblems } from "../draft/request";
import type { AutosaveView } from "../draft/use-autosave";
import type { AddressCheckView } from "../forms/form-context";
import { keepSent, type useHistory } from "../history/history";
import { type Answer, isRefused, toLiveStep } from "../send/answer";
import { buildProxyRequest } from "../send/proxy-request";
import type { useTestedPiece } from "../send/tested-piece";
import type { useSend } from "../send/use-send";
import type { ShownView } from "./builder-view";
import { loadAnswerParts } from "./lazy-chunks";
import type { Choices, RequestState } from "./use-request";

export const ANSWER_NOT_LOADED =
  "Nothing was sent: a part of this page could not be loaded. Check the connection and load the page again.";

interface SubmitParts {
  choices: Choices;
  request: RequestState;
  mode: Mode;
  tested: ReturnType<typeof useTestedPiece>;
  sending: ReturnType<typeof useSend>;
  mail: { listed: readonly ListedRecipient[]; addressCheck: AddressCheckView; autosave: AutosaveView };
  history: ReturnType<typeof useHistory>;
}

/** Sends the draft: checks it, waits for its files, and passes the answer on to what it changes. */
export function useSubmit(
  view: ShownView,
  { choices: { base, userId, changes }, request, mode, tested, sending, mail, history }: SubmitParts,
) {
  const { draft, call, custom, revision, reading, awaited, liveMailType, change } = request;
  const { revalidate } = useRevalidator();
  const form = useRef<HTMLFormElement>(null);
  const preparing = useRef(false);
  const [draftKey] = useState(view.draftKey);
  const presetId = custom ? CUSTOM.id : view.preset.id;

  /** @param knownDuplicateId the earlier send of the same piece that the user knows about */
  const send = async (
    input: Draft,
    testedPieceId: string | null = null,
    knownDuplicateId: string | null = null,
  ) => {
    const sendingTested = testedPieceId !== null;
    if (!sendingTested && (mode.endIfOver() || request.blockedInTest)) return;
    mode.showMessage(null);
    const sent = enterRecipientId(input);
    if (!sendingTested && reading.length > 0) {
      const files = reading.map((name) => ({ name, before: sent.files[name] }));
      if (liveMailType === null) change({ type: "show", part: { awaited: files } });
      return;
    }
    change({ type: "show", part: { attempted: true } });
    if (!isReady(sendingTested ? applyMode(sent, call, true) : sent)) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    if (sending.loading || preparing.current || !view.signedIn) return;
    if (!(await canShowAnswer())) return;
    const expectLive = sendingTested || liveMailType !== null;
    const recordTest = tested.begin(sent);
    // An unchanged draft has the key that its form posts without JavaScript, so sending both ways sends it once.
    const version = revision + changes + (sent === input ? 0 : 1);
    const idempotencyKey = version === 0 ? draftKey : `${draftKey}.${version}`;
    const recordLiveStep = expectLive ? mail.autosave.beginLive(sent, testedPieceId ?? idempotencyKey) : null;
    const proxyRequest = buildProxyRequest(sent, call, {
      base,
      userId,
      presetId,
      expectLive,
      testedPieceId,
      idempotencyKey,
      knownDuplicateId,
      addressCheck: mail.addressCheck.check,
    });
    const answer = await sending.send(proxyRequest, expectLive);
    if (sendingTested) {
      mode.switchTo(false);
      tested.recordSent(testedPieceId, answer);
    } else recordTest(answer);
    recordLiveStep?.(toLiveStep(answer));
    if (isRefused(answer)) change({ type: "again" });
    if (answer.response?.credits) revalidate();
    addToHistory(sent, proxyRequest.path, answer);
  };

  /** Replaces the name of a saved recipient, typed into a field that still has the focus, by the ID. */
  const enterRecipientId = (input: Draft): Draft => {
    const typed = input.values.recipient ?? "";
    const recipient = resolveRecipient(typed, mail.listed);
    if (recipient === typed) return input;
    change({ type: "value", name: "recipient", value: recipient });
    return { ...input, values: { ...input.values, recipient } };
  };

  const isReady = (checked: Draft) =>
    listProblems(checked, call, mail.listed).length === 0 && findSendBlock(checked) === null;

  /** Loads what shows an answer. Nothing is sent whose answer this page could not show. */
  const canShowAnswer = async (): Promise<boolean> => {
    preparing.current = true;
    const shows = await loadAnswerParts();
    preparing.current = false;
    if (!shows) change({ type: "show", part: { problems: [{ field: null, message: ANSWER_NOT_LOADED }] } });
    return shows;
  };

  const addToHistory = (sent: Draft, path: string, answer: Answer) => {
    const { response } = answer;
    if (answer.kind === "failed" && response === null) return;
    const ts = Date.now();
    const responseId = response?.response_id;
    if (!responseId) {
      const documented = view.preset.documented && !custom;
      keepSent(ts, { presetId, documented, baseLabel: base.label, draft: sent, answer });
    }
    history.add({ ts, method: sent.method, path, status: response?.status ?? null, responseId });
  };

  useEffect(() => {
    if (awaited === null || reading.length > 0) return;
    change({ type: "show", part: { awaited: null } });
    // Nothing is sent without a file that was refused or given up.
    const taken = awaited.every(({ name, before }) => draft.files[name] && draft.files[name] !== before);
    if (taken) void send(draft);
  });
  useSendShortcut(form, liveMailType !== null, () => mode.showMessage("not_by_shortcut"));
  return { form, draftKey, send };
}

/** Ctrl or Cmd with Enter sends. Live mail is sent by its button only: for it, `onLiveRefused` is called instead. */
function useSendShortcut(form: RefObject<HTMLFormElement>, live: boolean, onLiveRefused: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      if (live) {
        // On a focused button the browser would press it.
        event.preventDefault();
        onLiveRefused();
        return;
      }
      // The form is behind it.
      if (document.querySelector("dialog[open]")) return;
      const send = document.querySelector<HTMLButtonElement>('button[value="send"]:not([aria-hidden])');
      if (send?.form === form.current) send?.click();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}
