import type { Finding } from "~/print/layout/finding";
import { buildChecklist, type CheckLine } from "./build-checklist";
import type { MailKind } from "./mail-kind";
import type { ListedRecipient } from "./recipient/recipients";

const SIGNS: Record<CheckLine["state"], { sign: string; word: string; tone: string }> = {
  ok: { sign: "✓", word: "Done", tone: "text-ok" },
  missing: { sign: "✗", word: "Missing", tone: "text-warn" },
  info: { sign: "i", word: "Note", tone: "text-accent" },
  warning: { sign: "!", word: "Warning", tone: "text-warn" },
  live: { sign: "!", word: "Warning", tone: "text-live" },
  ruins: { sign: "!", word: "Fault", tone: "text-live" },
};

/** Lists what is missing or wrong before a piece is created. Each line leads to its field. */
export function Checklist({
  kind,
  values,
  listed,
  findings,
  used,
}: {
  kind: MailKind;
  values: Record<string, string>;
  /** The loaded recipients. */
  listed: readonly ListedRecipient[];
  findings: readonly Finding[];
  /** True when these values are sent. The summary is shown only then. */
  used: boolean;
}) {
  const { lines, summary } = buildChecklist(kind, values, listed, findings);
  return (
    <section aria-label="Readiness" className="min-w-0 flex-1 basis-80 max-sm:contents">
      {used ? (
        <p className="font-semibold max-sm:order-3 max-sm:min-w-32 max-sm:flex-1" aria-live="polite">
          {summary}
        </p>
      ) : null}
      <ul className="flex min-w-0 flex-wrap gap-x-4 gap-y-0.5 text-[12px] max-sm:flex-1 max-sm:basis-48 max-sm:in-[.send-bar:has(.button-live)]:basis-full">
        {lines.map(({ about, state, field }) => {
          const { sign, word, tone } = SIGNS[state];
          return (
            <li
              key={about}
              className={`flex gap-1.5 [overflow-wrap:anywhere] ${["ok", "info", "live"].includes(state) ? "max-sm:sr-only" : ""}`}
            >
              <span aria-hidden className={`shrink-0 font-semibold ${tone}`}>
                {sign}
              </span>
              <span>
                <span className="sr-only">{word}: </span>
                {field ? (
                  <a href={`#field-${field}`} className="underline decoration-dotted">
                    {about}
                  </a>
                ) : (
                  about
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
