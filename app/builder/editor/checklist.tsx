import { buildChecklist, type CheckLine } from "./build-checklist";
import type { MailKind } from "./mail-kind";
import type { ListedRecipient } from "./recipient/recipients";

const SIGNS: Record<CheckLine["state"], { sign: string; word: string; tone: string }> = {
  ok: { sign: "✓", word: "Done", tone: "text-ok" },
  missing: { sign: "✗", word: "Missing", tone: "text-warn" },
  info: { sign: "i", word: "Note", tone: "text-accent" },
  warning: { sign: "!", word: "Warning", tone: "text-live" },
};

/** What is still missing before a piece can be created. */
export function Checklist({
  kind,
  values,
  listed,
  used,
}: {
  kind: MailKind;
  values: Record<string, string>;
  /** The loaded recipients. */
  listed: readonly ListedRecipient[];
  /** True when these values are sent. The summary is shown only then. */
  used: boolean;
}) {
  const { lines, summary } = buildChecklist(kind, values, listed);
  return (
    <section aria-label="Readiness" className="min-w-0 flex-1 basis-80 max-sm:contents">
      {used ? (
        <p className="font-semibold max-sm:order-3 max-sm:min-w-32 max-sm:flex-1" aria-live="polite">
          {summary}
        </p>
      ) : null}
      <ul className="flex min-w-0 flex-wrap gap-x-4 gap-y-0.5 text-[12px] max-sm:flex-1 max-sm:basis-48 max-sm:in-[.send-bar:has(.button-live)]:basis-full">
        {lines.map(({ about, state }) => {
          const { sign, word, tone } = SIGNS[state];
          return (
            <li
              key={about}
              className={`flex gap-1.5 [overflow-wrap:anywhere] ${state === "missing" ? "" : "max-sm:sr-only"}`}
            >
              <span aria-hidden className={`shrink-0 font-semibold ${tone}`}>
                {sign}
              </span>
              <span>
                <span className="sr-only">{word}: </span>
                {about}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
