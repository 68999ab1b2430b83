import { useLocation, useNavigate } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { CUSTOM } from "~/catalogue/types";
import type { Opening } from "../draft/builder-state";
import { CUSTOM_CALL, openPreset } from "../draft/draft";
import type { Mode } from "../draft/mode";
import { findSent, formatEarlier, type HistoryEntry } from "../history/history";
import type { Answer } from "../send/answer";
import { formatCall, type useSend } from "../send/use-send";
import type { ShownView } from "./builder-view";
import { usePastedCurl } from "./paste-curl";
import type { Choices, RequestState } from "./use-request";
import type { useSubmit } from "./use-submit";

/** Load & Send waits this long between loading and sending. */
const LOAD_AND_SEND_DELAY_MS = 100;

/** The change to make when the requested preset has loaded. */
interface ArrivalTask extends Opening {
  /** The draft is this entry of the history, whose answer is shown with it. */
  earlier?: { entry: HistoryEntry; answer: Answer };
  send?: boolean;
}

interface OpeningParts {
  choices: Choices;
  request: RequestState;
  mode: Mode;
  sending: ReturnType<typeof useSend>;
  submit: ReturnType<typeof useSubmit>;
  replaceDraft: (opening: Opening) => void;
}

/** Opens another draft: a preset, an entry of the history, or a pasted curl command. */
export function useOpening(
  view: ShownView,
  { choices, request, mode, sending, submit, replaceDraft }: OpeningParts,
) {
  const { draft, presetKey, liveMailType } = request;
  const { show: showAnswer } = sending;
  const start = (task?: ArrivalTask) => {
    const { earlier, send, ...opening } = task ?? { draft: view.initialDraft ?? undefined };
    // The draft of an address has a base URL of its own.
    if (!task && opening.draft) choices.openBase(view.base.label);
    replaceDraft({ ...opening, origin: { as: opening.draft || send ? "chosen" : "fresh" } });
    // After the form has its draft, which clears the answer.
    if (earlier) queueMicrotask(() => showAnswer(formatEarlier(earlier.entry), earlier.answer));
  };
  const open = usePresetNavigation(presetKey, start, () => {
    if (liveMailType === null) void submit.send(draft);
    else mode.showMessage("not_loaded_and_sent");
  });
  const curl = usePastedCurl(request, choices.base.label, ({ opened, notes }) => {
    choices.openBase(opened.baseLabel);
    open(opened.presetId, opened.documented, { draft: opened.draft, curl: { notes } });
  });
  const { answerOf, answer: loaded } = view;
  const stored = useRef(formatCall(draft));
  useEffect(() => {
    if (answerOf === null) return;
    const found =
      loaded === null
        ? import("../history/earlier-answer").then(({ loadEarlierAnswer }) => loadEarlierAnswer(answerOf))
        : Promise.resolve(loaded);
    void found.then((answer) => answer && showAnswer(stored.current, answer));
  }, [answerOf, loaded, showAnswer]);
  /** Opens an entry without a stored response: whole, or after a reload by its method and path. */
  const openEntry = (entry: HistoryEntry) => {
    const sent = findSent(entry);
    if (!sent) {
      const { method, path } = entry;
      open(CUSTOM.id, false, { draft: openPreset({ ...CUSTOM_CALL, method, path }) });
      return;
    }
    const { presetId, documented, baseLabel, draft, answer } = sent;
    if (view.baseUrls.some(({ label }) => label === baseLabel)) choices.openBase(baseLabel);
    open(presetId, documented, { draft, earlier: { entry, answer } });
  };
  return { open, openEntry, curl };
}

/** Parameters of an address that name the source of its draft. */
const SOURCES = ["draft", "list", "response", "template"];

/** Opens presets: `start` puts one into the form when it has loaded, and Load & Send sends it a moment later. */
function usePresetNavigation(presetKey: string, start: (task?: ArrivalTask) => void, send: () => void) {
  const navigate = useNavigate();
  const location = useLocation();
  const tasks = useRef(new Map<string, ArrivalTask>());
  const taskId = String(location.state?.task ?? "");
  const parameters = new URLSearchParams(location.search);
  const loaded = [presetKey, ...SOURCES.map((name) => parameters.get(name) ?? "")].join(" ");
  const [shown, setShown] = useState(loaded);
  if (shown !== loaded) {
    setShown(loaded);
    start(tasks.current.get(taskId));
  }

  const sendNow = useRef(send);
  sendNow.current = send;
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const sendSoon = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => sendNow.current(), LOAD_AND_SEND_DELAY_MS);
  }, []);

  // Each task is done once: a reload or the back button must not send again.
  useEffect(() => {
    const task = tasks.current.get(taskId);
    tasks.current.delete(taskId);
    if (task?.send) sendSoon();
  }, [taskId, sendSoon]);

  return function open(presetId: string, documented: boolean, task: ArrivalTask) {
    clearTimeout(timer.current);
    // The notices and the template of an address with a source do not belong to another draft.
    if (loaded.trim() === `${presetId} ${documented}`) {
      start(task);
      if (task.send) sendSoon();
      return;
    }
    const id = String(Date.now());
    tasks.current.set(id, task);
    navigate(`/?preset=${presetId}${documented ? "&call=documented" : ""}`, {
      preventScrollReset: true,
      state: { task: id },
    });
  };
}
