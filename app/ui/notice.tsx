import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import type { Flash } from "~/platform/http/flash.server";
import type { Failure } from "~/platform/outcome";
import { useAppears } from "./use-hydrated";

const TONES = {
  info: "bg-accent-wash border-accent",
  ok: "bg-ok-wash border-ok",
  warn: "bg-warn-wash border-warn",
  bad: "bg-live-wash border-live",
};

interface NoticeProps {
  tone: keyof typeof TONES;
  title?: string | undefined;
  /** True to have screen readers announce it at once. */
  urgent?: boolean;
  children?: ReactNode;
}

export function Notice({ tone, title, urgent, children }: NoticeProps) {
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
  if (!children) return null;
  return (
    <Notice tone="bad" urgent>
      {children}
    </Notice>
  );
}

export function FlashNotice({ flash }: { flash: Flash | null }) {
  if (!flash) return null;
  return (
    <Notice tone={flash.tone} urgent>
      {flash.message}
    </Notice>
  );
}

interface DatabaseNoticeProps {
  failure: Failure;
  /** Heading of a temporary failure. */
  title?: string;
  /** Names what does not work without a database. */
  untilConfigured: string;
  /** Offers to reload the page. */
  again?: boolean;
}

/** Replaces data when there is no database or it is down. */
export function DatabaseNotice({ failure, title, untilConfigured, again = true }: DatabaseNoticeProps) {
  const { pathname, search } = useLocation();
  const missing = failure.code === "not_configured";
  return (
    <Notice tone="warn" title={missing ? "Database Not Configured." : title} urgent>
      {failure.message.replace(/\.$/, "")}. {failure.details} {missing ? untilConfigured : null}
      {!missing && again ? (
        <a className="link" href={pathname + search}>
          Try again
        </a>
      ) : null}
    </Notice>
  );
}
