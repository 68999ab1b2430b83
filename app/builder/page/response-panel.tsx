import { Children, type ReactNode, useEffect, useRef, useState } from "react";
import type { JsonValue } from "~/catalogue/types";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import { useMay } from "~/ui/may";
import { wasSent } from "../send/answer";
import { findResponse, formatCall } from "../send/use-send";
import type { ShownView } from "./builder-view";
import { AnswerView, Example, loadAnswerParts, ResponseView, SavePanel, WelcomePanel } from "./lazy-chunks";
import type { BuilderParts } from "./use-builder";

interface ResponsePanelProps {
  view: ShownView;
  builder: BuilderParts;
  nextStep: (response: ProxyResponse) => ReactNode;
  children: ReactNode;
}

/** The outcome of a send: status in words, duration, size, body, headers, and the request as it was sent. */
export function ResponsePanel({ view, builder, nextStep, children }: ResponsePanelProps) {
  const { choices, request, tested } = builder;
  const { run } = builder.sending;
  // The outcome of a piece comes first and the provider's answer last. A bar then covers the bottom of the window. An answer
  // that arrives after another form was opened is shown with its call.
  const piece =
    request.kind !== null && (run.state !== "done" || run.call.startsWith(formatCall(request.call)));
  const example = request.custom || view.entry === "first" ? null : view.preset.exampleResponse;
  // The page also shows a tested piece or the welcome.
  const moreShown = tested.piece !== null || !view.signedIn;
  const panel = useRef<HTMLElement>(null);
  const may = useMay()("send:test");
  const { state } = run;
  const idle = state === "idle" && Children.toArray(children).length === 0;
  const shown = findResponse(run);
  const savable = shown?.response_id || (shown?.request && view.usersFailure?.code === "not_configured");
  const save =
    run.state === "done" && shown && savable && may ? (
      <SavePanel
        key={shown.response_id}
        savable={{ response: shown, request: run.request, baseLabel: choices.base.label }}
        known={run.request === null && view.autoSaved}
        users={view.users}
        userId={choices.userId}
        usersFailure={view.usersFailure}
      />
    ) : null;
  useEffect(() => void loadAnswerParts(), []);
  // On a small screen the answer is below the form.
  useEffect(() => {
    const oneColumn = window.matchMedia("(max-width: 767px)").matches;
    if (oneColumn && state !== "idle") panel.current?.scrollIntoView({ block: "nearest" });
    // The button that sends a tested piece live is below the answer.
    if (state === "loading") panel.current?.firstElementChild?.scrollTo({ top: 0 });
  }, [state]);
  return (
    <section
      ref={panel}
      id="response"
      aria-label="Response"
      data-answer={state === "done" || moreShown || (idle && example !== null) ? "" : undefined}
      // In one column the welcome comes first for a signed-out visitor.
      className={`min-w-0 scroll-mt-16 border-line md:border-l ${idle && !view.signedIn ? "max-md:order-first max-md:border-b" : "max-md:border-t"}`}
    >
      <div
        aria-live="polite"
        className={`md:sticky md:top-1.5 md:overflow-y-auto ${piece ? "md:max-h-[calc(100vh-88px)]" : "md:max-h-[calc(100vh-6px)]"}`}
      >
        {idle ? view.signedIn ? <Idle example={example} /> : <WelcomePanel /> : null}
        {run.state === "loading" ? <Elapsed call={run.call} startedAt={run.startedAt} /> : null}
        {run.state === "done" ? (
          <AnswerView call={run.call} answer={run.answer} piece={piece} nextStep={nextStep} save={save} />
        ) : null}
        {children}
        {piece && wasSent(shown) ? (
          <details open={view.entry !== "start"}>
            <summary className="px-4 py-2.5">
              <h2 className="inline">Provider's answer</h2>
            </summary>
            <ResponseView response={shown} save={save} />
          </details>
        ) : null}
      </div>
    </section>
  );
}

function Idle({ example }: { example: JsonValue | null }) {
  return (
    <>
      <h2 className="border-line border-b px-4 py-3.5">Response</h2>
      <p className="px-4 pt-4 text-dim">The response appears here after you send.</p>
      {example === null ? null : <Example value={example} />}
    </>
  );
}

const TICK_MS = 100;

function Elapsed({ call, startedAt }: { call: string; startedAt: number }) {
  const [now, setNow] = useState(startedAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="p-4">
      <p className="wire mb-2 truncate text-dim">{call}</p>
      <p role="status" className="mb-2">
        Waiting for the provider…
      </p>
      <p aria-hidden className="text-dim tabular-nums">
        {((now - startedAt) / 1000).toFixed(1)} s
      </p>
      <progress aria-label="Waiting for the provider" className="mt-2 h-1 w-full accent-accent" />
    </div>
  );
}
