import { useFetcher } from "@remix-run/react";
import { X } from "lucide-react";
import { CUSTOM } from "~/catalogue/types";
import { findHome } from "~/outside/mail-provider/account-home";
import { NOTHING_DONE } from "~/platform/outcome";
import { endSentence } from "~/platform/sentence";
import { useMay } from "~/ui/may";
import { DatabaseNotice, Notice } from "~/ui/notice";
import { PollUntilDone } from "~/ui/reload";
import { useHydrated } from "~/ui/use-hydrated";
import type { OpeningNotice } from "../draft/draft";
import { SEND_BLOCKS } from "../draft/messages";
import { findMailType } from "../draft/mode";
import type { SendBlock } from "../draft/request";
import { FORM_ID, FormContext, useForm } from "../forms/form-context";
import { ModeSwitch } from "../send/mode-switch";
import type { ShownView } from "./builder-view";
import { FileField, MailPreview, SendBar, TestedPdf } from "./lazy-chunks";
import { PasteCurl } from "./paste-curl";
import { PresetRail } from "./preset-rail";
import { RequestForm } from "./request-form";
import { ResponsePanel } from "./response-panel";
import { StartPanel, useLastPreset } from "./start-panel";
import { useBuilder } from "./use-builder";
import { useSendControls } from "./use-send-controls";

export const SEND_TO_LIST = "Send to a list";

export function formatUnknownPreset(id: string, opened: string): string {
  return `There is no preset "${id}". "${opened}" is open instead.`;
}

export function Builder({ view }: { view: ShownView }) {
  const { preset } = view;
  const action = `/?index&preset=${preset.id}${preset.documented ? "&call=documented" : ""}${view.entry === "start" ? "&from=start" : ""}`;
  const hydrated = useHydrated();
  const may = useMay();
  const builder = useBuilder(view);
  const { choices, request, mode, tested, mail, opening, sending } = builder;
  const { base } = choices;
  const { draft, call, custom, kind, change } = request;
  const last = useLastPreset(view);
  const { available, changes, block, found, report, faults, sendButton, sendTested, renderNextStep } =
    useSendControls(view, builder);
  const unchanged = tested.piece !== null && changes.length === 0;
  const obstacles = (
    <Obstacles
      // Nothing is wrong with a request that is not begun.
      block={custom && request.block === "empty_path" && !view.attempted ? null : request.block}
      bodyProblem={view.bodyProblem}
    />
  );
  const modeSwitch =
    view.signedIn && may("send:live") && (mode.until !== null || findMailType(draft)) ? (
      <ModeSwitch mode={mode} />
    ) : null;
  return (
    <FormContext.Provider
      value={{
        ...mail,
        draft,
        call,
        openings: request.openings,
        home: findHome(base),
        baseUrl: base.url,
        currency: view.providerCurrency,
        change,
        action,
        teamTemplate: view.teamTemplate,
        FileField,
      }}
    >
      {view.preload.map((url) => (
        <link key={url} rel="modulepreload" href={url} />
      ))}
      {view.welcome ? <WelcomeLine welcome={view.welcome} action={action} /> : null}
      <PageNotices view={view} opened={opening.curl.notices} />
      <div className="flex flex-1 flex-col xl:grid xl:grid-cols-[244px_minmax(0,1fr)] xl:grid-rows-[auto_1fr]">
        {view.signedIn && view.entry === "first" ? <StartPanel start={view.start} last={last} /> : null}
        {/* The form that takes a curl command reaches over the request. */}
        <div className="z-20 min-w-0 xl:sticky xl:top-1.5 xl:col-start-1 xl:row-span-2 xl:row-start-1 xl:h-[calc(100vh-6px)]">
          <PresetRail
            view={view}
            current={custom ? CUSTOM : preset}
            pasteCurl={view.signedIn ? <PasteCurl curl={opening.curl} /> : null}
            onOpen={(id, send) => opening.open(id, false, { send })}
          />
        </div>
        <div className="flex min-w-0 flex-1 flex-col xl:col-start-2">
          <div
            className={`grid min-w-0 flex-1 md:grid-cols-2 ${kind ? "xl:grid-cols-[minmax(39.5rem,5fr)_minmax(0,6fr)]" : ""}`}
          >
            <RequestForm
              view={view}
              builder={builder}
              action={action}
              block={block}
              obstacles={obstacles}
              modeSwitch={modeSwitch}
              sendButton={sendButton}
            />
            <ResponsePanel view={view} builder={builder} nextStep={renderNextStep}>
              {tested.piece && (unchanged || !kind) ? (
                <TestedPdf piece={tested.piece} sendTested={sendTested} />
              ) : null}
              {kind ? null : sendTested}
              {kind && !(hydrated && unchanged && tested.piece?.offer.pdf) ? (
                <MailPreview kind={kind} view={view.preview} letter={view.letter} onFindings={report} />
              ) : null}
            </ResponsePanel>
          </div>
          {kind ? (
            <SendBar
              kind={kind}
              obstacles={obstacles}
              found={found}
              faults={faults}
              sendingLive={sending.sendingLive}
              cost={unchanged ? tested.piece?.offer.cost : undefined}
              available={available}
            >
              {sendTested}
              {/* After the button that sends live: it stays where it is when that one goes. */}
              {view.signedIn && may("send:test") ? (
                <button
                  form={FORM_ID}
                  type="submit"
                  name="intent"
                  value="list"
                  disabled={sending.loading}
                  className="button button-quiet max-sm:order-4"
                >
                  {SEND_TO_LIST}
                </button>
              ) : null}
              {sendButton}
            </SendBar>
          ) : null}
        </div>
      </div>
    </FormContext.Provider>
  );
}

/** @param opened by a pasted curl command */
function PageNotices({ view, opened }: { view: ShownView; opened: readonly OpeningNotice[] }) {
  return (
    <div className="grid gap-2 border-line border-b p-3 empty:hidden">
      {view.payment?.confirming ? <PollUntilDone /> : null}
      {view.payment ? (
        <Notice tone={view.payment.tone} urgent>
          {view.payment.message}
        </Notice>
      ) : null}
      {view.unknownPreset === null ? null : (
        <Notice tone="warn" urgent>
          {formatUnknownPreset(view.unknownPreset, view.preset.label)}
        </Notice>
      )}
      {[...view.notices, ...opened].map((notice) => (
        <OpenedNotice key={notice.title ?? notice.text} notice={notice} />
      ))}
      {view.usersFailure ? (
        <DatabaseNotice
          failure={view.usersFailure}
          title="Users could not be loaded."
          untilConfigured="User management, response storage and live mail are disabled. Everything else keeps working."
          again={false}
        />
      ) : null}
    </div>
  );
}

interface ObstaclesProps {
  block: SendBlock | null;
  /** The JSON syntax error of the posted body. With JavaScript the Body tab shows it during typing. */
  bodyProblem: string | null;
}

function Obstacles({ block, bodyProblem }: ObstaclesProps) {
  const { problems } = useForm();
  if (block === null && problems.length === 0) return null;
  return (
    <div className="grid max-h-[25vh] basis-full gap-2 overflow-y-auto">
      {block !== null ? (
        <Notice tone="bad" urgent title={SEND_BLOCKS[block].title}>
          {SEND_BLOCKS[block].fix}
          <noscript>
            {" "}
            {block === "invalid_json" ? bodyProblem : null} Then press Update without sending.
          </noscript>
        </Notice>
      ) : null}
      {problems.length > 0 ? (
        <Notice tone="bad" title="Validation errors:" urgent>
          {problems.map(({ message }) => endSentence(message)).join(" ")} {NOTHING_DONE}
        </Notice>
      ) : null}
    </div>
  );
}

function OpenedNotice({ notice: { tone, title, text, notes = [] } }: { notice: OpeningNotice }) {
  return (
    <div role={tone === "bad" ? undefined : "status"}>
      <Notice tone={tone} title={title} urgent={tone === "bad"}>
        {text}
        {notes.length > 0 ? (
          <ul className="mt-1 list-disc pl-5">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        ) : null}
      </Notice>
    </div>
  );
}

/** Greets the signed-in person until they close the greeting. */
function WelcomeLine({ welcome, action }: { welcome: string; action: string }) {
  const closing = useFetcher();
  if (closing.state !== "idle") return null;
  return (
    <form
      method="post"
      action="/preferences"
      className="flex items-center justify-between gap-3 border-line border-b px-4 py-1 text-dim"
      onSubmit={(event) => {
        event.preventDefault();
        // Offline Remix cannot load the route's script, and reloads the page.
        if (navigator.onLine)
          closing.submit({ welcome: "closed" }, { method: "post", action: "/preferences" });
      }}
    >
      <p>{welcome}</p>
      <input type="hidden" name="returnTo" value={action} />
      <button name="welcome" value="closed" type="submit" className="p-1 hover:text-ink" title="Close">
        <X aria-hidden size={14} strokeWidth={1.75} />
        <span className="sr-only">Close the welcome</span>
      </button>
    </form>
  );
}
