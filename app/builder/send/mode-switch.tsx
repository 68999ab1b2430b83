import { FlaskConical, Mail } from "lucide-react";
import { useEffect, useState } from "react";
import { MissingScope, useMay } from "~/ui/may";
import { Notice } from "~/ui/notice";
import { useHydrated } from "~/ui/use-hydrated";
import { BLOCKED_IN_TEST, MODE_MESSAGES } from "../draft/messages";
import { formatTimeLeft, type Mode } from "../draft/mode";
import { IntentButton, useForm } from "../forms/form-context";

const HALVES = {
  test: { label: "Test", Icon: FlaskConical, pressed: "bg-accent-wash font-bold uppercase text-accent" },
  live: {
    label: "Live",
    Icon: Mail,
    pressed: "bg-live font-bold uppercase text-on-live focus-visible:outline-on-live",
  },
};

/** Switches between test and live, and shows how long live lasts. Without JavaScript each half posts the form. */
export function ModeSwitch({ mode }: { mode: Mode }) {
  const { action } = useForm();
  const current = mode.until === null ? "test" : "live";
  return (
    <fieldset className="flex items-stretch overflow-hidden rounded-[6px] border border-edge">
      <legend className="sr-only">Test or live</legend>
      {(["test", "live"] as const).map((half) => {
        const { label, Icon, pressed } = HALVES[half];
        return (
          <IntentButton
            key={half}
            intent={half}
            formAction={action}
            aria-pressed={half === current}
            className={`flex min-h-[28px] cursor-pointer items-center gap-1.5 px-2.5 focus-visible:outline-offset-[-3px] ${
              half === current ? pressed : "text-dim hover:text-ink"
            }`}
            onPress={() => mode.switchTo(half === "live")}
          >
            <Icon aria-hidden size={14} />
            {label}
          </IntentButton>
        );
      })}
      {mode.until === null ? null : <TimeLeft until={mode.until} leftMs={mode.postedLeftMs} />}
    </fieldset>
  );
}

/** A component of its own, so that only it renders each second. Without JavaScript it shows whole minutes. */
function TimeLeft({ until, leftMs }: { until: number; leftMs: number }) {
  const hydrated = useHydrated();
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, []);
  const words =
    hydrated && now !== null
      ? formatTimeLeft(until - now)
      : `${Math.max(1, Math.round(leftMs / 60_000))} min`;
  return (
    <span
      role="timer"
      aria-live="off"
      aria-label="Time left in live mode"
      className="flex min-w-[5ch] items-center bg-live pr-2.5 font-bold text-on-live tabular-nums"
    >
      {words}
    </span>
  );
}

/** Shows a change of the mode, and a button to switch to live for a request that cannot be sent in test mode. */
export function ModeNotice({ mode, blocked }: { mode: Mode; blocked: boolean }) {
  const { action } = useForm();
  const mayGoLive = useMay()("send:live");
  const { message } = mode;
  if (message === null && !blocked) return null;
  return (
    <div className="grid gap-2 p-4 pb-0">
      {message ? (
        <Notice tone="warn" urgent>
          {MODE_MESSAGES[message]}
        </Notice>
      ) : null}
      {blocked ? (
        <Notice tone="warn" title={BLOCKED_IN_TEST} urgent>
          {mayGoLive ? (
            <>
              <IntentButton
                intent="live"
                formAction={action}
                className="link"
                onPress={() => mode.switchTo(true)}
              >
                Switch to Live
              </IntentButton>{" "}
              to send it.
            </>
          ) : (
            <MissingScope scope="send:live" />
          )}
        </Notice>
      ) : null}
    </div>
  );
}
