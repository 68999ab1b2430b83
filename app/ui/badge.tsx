import type { ReactNode } from "react";

type Tone = "neutral" | "strong" | "accent" | "ok" | "warn" | "bad";

const TONES: Record<Tone, string> = {
  neutral: "bg-line/60 text-dim",
  strong: "bg-ink text-paper",
  accent: "bg-accent-wash text-accent",
  ok: "bg-ok-wash text-ok",
  warn: "bg-warn-wash text-warn",
  bad: "bg-live-wash text-live",
};

export function Badge({ tone, title, children }: { tone: Tone; title?: string; children: ReactNode }) {
  return (
    <span
      title={title}
      className={`inline-block whitespace-nowrap rounded-[4px] px-2 py-px font-semibold ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
