import type { ReactNode } from "react";
import { useAppears } from "./use-hydrated";

type Tone = "info" | "ok" | "warn" | "bad";

const TONES: Record<Tone, string> = {
  info: "bg-accent-wash border-accent",
  ok: "bg-ok-wash border-ok",
  warn: "bg-warn-wash border-warn",
  bad: "bg-live-wash border-live",
};

/** A message with a coloured edge. Screen readers announce an `urgent` one at once. */
export function Notice({
  tone,
  title,
  urgent,
  children,
}: {
  tone: Tone;
  title?: string;
  urgent?: boolean;
  children?: ReactNode;
}) {
  return (
    <div
      role={urgent ? "alert" : undefined}
      className={`${useAppears()} rounded-r-[6px] border-l-3 px-3 py-2 [overflow-wrap:anywhere] ${TONES[tone]}`}
    >
      {title ? <strong className="font-semibold">{title}</strong> : null}
      {title && children ? " " : null}
      {children}
    </div>
  );
}

/** Announces why something was not done; nothing without a text. */
export function ProblemNotice({ children }: { children?: ReactNode }) {
  return children ? (
    <Notice tone="bad" urgent>
      {children}
    </Notice>
  ) : null;
}
