import { useFetcher, useLocation, useNavigate, useNavigation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { AskAgain } from "~/ui/ask-again";
import { Notice } from "~/ui/notice";
import { type Answer, isRefused } from "./answer";
import { BuyCredits } from "./credits-line";
import type { Draft } from "./draft";
import type { HistoryEntry } from "./history";
import { describeDeal, findLiveMail, useCurrentAccount } from "./live-mail";
import { Obstacles } from "./obstacles";
import { PresetRail } from "./preset-rail";
import { ReferenceNotice } from "./reference-notice";
import { buildRequest, findSendBlock, listProblems } from "./request";
import { RequestBar } from "./request-bar";
import { RequestParts } from "./request-parts";
import { RequestSettings, UsersAlert } from "./request-settings";
import { ResponsePanel } from "./response-panel";
import { SecurityCard } from "./security-card";
import { useDraft } from "./use-draft";
import { useHistory } from "./use-history";
import { useSend } from "./use-send";
import { useShortcuts } from "./use-shortcuts";
import { useTypedBefore } from "./use-typed-before";
import type { BuilderView } from "./view";

/** spec §4: Load & Send waits this long between loading and sending. */
const LOAD_AND_SEND_DELAY_MS = 100;

const FORM_ID = "request";

/** What a posted form left behind: shown as it was, with the answer to it. */
export interface Posted {
  draft: Draft;
  draftKey: string;
  bodyMark: string;
  /** Whether it was to be sent; then the page names what was in the way. */
  attempted: boolean;
  answer: Answer | null;
}

/** What to do once the preset that was asked for has arrived. */
interface Opening {
  draft?: Draft;
  /** Files that history could not keep. */
  dropped?: string[];
  send?: boolean;
}

/** What became of the payment that this draft waited for. */
interface Payment {
  tone: "ok" | "bad" | "info";
  message: string;
  confirming: boolean;
}

/** The Builder tab (spec §2). */
export function Builder({
  view,
  posted,
}: {
  view: BuilderView & { payment: Payment | null };
  posted: Posted | null;
}) {
  const { preset, template } = view;
  const action = `/?index&preset=${preset.id}${preset.documented ? "&call=documented" : ""}`;
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const preferences = useFetcher();
  const history = useHistory();
  const form = useRef<HTMLFormElement>(null);
  const [baseLabel, setBaseLabel] = useState(view.base.label);
  const [userId, setUserId] = useState(view.userId);
  const [{ draft, revision }, change] = useDraft(template, posted?.draft ?? view.kept);
  const [attempted, setAttempted] = useState(posted?.attempted ?? false);
  const [dropped, setDropped] = useState<string[]>([]);
  const {
    run,
    send: post,
    stop,
    clear,
  } = useSend(
    posted?.answer ? { about: `${posted.draft.method} ${posted.draft.path}`, answer: posted.answer } : null,
  );
  const loading = run.state === "loading";
  useShortcuts(form);

  const [draftKey] = useState(posted?.draftKey ?? view.draftKey);
  const base = view.baseUrls.find((option) => option.label === baseLabel) ?? view.base;
  const location = useLocation();
  const moving = useNavigation().state !== "idle";
  const openings = useRef(new Map<string, Opening>());
  const openingId = String(location.state?.opening ?? "");
  const arrived = `${preset.id} ${preset.documented}`;
  const [shown, setShown] = useState(arrived);
  const start = (opening?: Opening) => {
    change({ type: "open", template, draft: opening?.draft });
    setDropped(opening?.dropped ?? []);
    setAttempted(false);
    clear();
  };
  if (shown !== arrived) {
    setShown(arrived);
    start(openings.current.get(openingId));
  }

  const liveMail = findLiveMail(draft, template);
  const account = useCurrentAccount();
  const problems = attempted ? listProblems(draft, template) : [];
  const block = findSendBlock(draft);

  const send = async (sent: Draft) => {
    setAttempted(true);
    const ready = listProblems(sent, template).length === 0 && findSendBlock(sent) === null;
    if (!ready) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    }
    if (!ready || loading || !view.signedIn) return;
    const request = buildRequest(sent, template);
    const answer = await post({
      ...request,
      baseUrl: base.url,
      auth: { strategy: "env" },
      flags: { appendJson: base.appendJson },
      user_id: userId,
      expect_live: liveMail !== null,
      idempotency_key: `${draftKey}.${revision}`,
    });
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
  const sendDraft = useRef(() => {});
  sendDraft.current = () => void send(draft);

  const timer = useRef<ReturnType<typeof setTimeout>>();
  const sendSoon = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => sendDraft.current(), LOAD_AND_SEND_DELAY_MS);
  }, []);

  // Each opening counts once: a reload or the back button must not send again.
  useEffect(() => {
    const opening = openings.current.get(openingId);
    openings.current.delete(openingId);
    if (opening?.send) sendSoon();
  }, [openingId, sendSoon]);

  const open = (presetId: string, documented: boolean, opening: Opening) => {
    clearTimeout(timer.current);
    if (arrived === `${presetId} ${documented}`) {
      start(opening);
      if (opening.send) sendSoon();
      return;
    }
    const id = String(Date.now());
    openings.current.set(id, opening);
    navigate(`/?preset=${presetId}${documented ? "&call=documented" : ""}`, {
      preventScrollReset: true,
      state: { opening: id },
    });
  };
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
  useTypedBefore(form, { change, onBase: chooseBase, onUser: chooseUser });

  const payer = view.users.find((user) => user.id === userId)?.display_name ?? "the current user";
  const buy = <BuyCredits formId={FORM_ID} payer={payer} />;
  return (
    <>
      {view.welcome ? <p className="border-line border-b px-4 py-1.5 text-dim">{view.welcome}</p> : null}
      {view.payment ? (
        <div className="border-line border-b p-3">
          {view.payment.confirming ? <AskAgain /> : null}
          <Notice tone={view.payment.tone} urgent>
            {view.payment.message}
          </Notice>
        </div>
      ) : null}
      {view.usersFailure ? <UsersAlert failure={view.usersFailure} /> : null}
      <div className="grid flex-1 md:grid-cols-2 xl:grid-cols-[236px_minmax(0,1fr)_minmax(0,1fr)]">
        <div className="min-w-0 md:max-xl:col-span-2 xl:sticky xl:top-1.5 xl:h-[calc(100vh-6px)]">
          <PresetRail
            view={view}
            onOpen={(id) => open(id, false, {})}
            onLoadAndSend={(id) => open(id, false, { send: true })}
          />
        </div>
        <form
          ref={form}
          id={FORM_ID}
          aria-label="Request"
          data-live={liveMail ? "" : undefined}
          method="post"
          action={`${action}#response`}
          encType="multipart/form-data"
          noValidate
          className="flex min-w-0 flex-col"
          onSubmit={(event) => {
            const { submitter } = event.nativeEvent as SubmitEvent;
            // Leaving for the payment is a post like any other: the whole form goes along.
            if (submitter instanceof HTMLButtonElement && submitter.value === "buy") return;
            event.preventDefault();
            send(draft);
          }}
          onKeyDown={(event) => {
            // Real mail takes a press of its button, not Enter in some field.
            const typing = event.target instanceof HTMLInputElement;
            if (event.key === "Enter" && typing && liveMail !== null) event.preventDefault();
          }}
        >
          <input type="hidden" name="idempotency_key" value={draftKey} />
          <input type="hidden" name="expect_live" value={liveMail === null ? "0" : "1"} />
          <RequestBar
            draft={draft}
            base={base}
            change={change}
            block={moving ? "Another preset is being loaded." : block}
            loading={loading}
            signedIn={view.signedIn}
            liveMail={liveMail}
            deal={liveMail ? describeDeal(liveMail, account, userId) : null}
            onStop={stop}
          />
          <RequestSettings view={view} base={base} userId={userId} onBase={chooseBase} onUser={chooseUser} />
          <ReferenceNotice preset={preset} />
          <Obstacles block={block} problems={problems} dropped={dropped} />
          <RequestParts
            key={arrived}
            template={template}
            draft={draft}
            problems={problems}
            action={action}
            change={change}
            bodyMark={posted?.bodyMark ?? view.bodyMark}
            history={history.entries}
            onOpenEntry={openEntry}
            onClearHistory={history.clear}
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
        <ResponsePanel run={run} example={preset.exampleResponse} buy={buy} />
      </div>
    </>
  );
}
