import type { MailKind } from "./mail-kind";
import { buildChecklist, type CheckLine } from "./mail-rules";

const SIGNS: Record<CheckLine["state"], { sign: string; word: string; tone: string }> = {
  ok: { sign: "✓", word: "Done", tone: "text-ok" },
  missing: { sign: "✗", word: "Missing", tone: "text-live" },
  info: { sign: "i", word: "Note", tone: "text-accent" },
  warning: { sign: "!", word: "Warning", tone: "text-live" },
};

/** What is still missing before a piece can be created. */
export function Checklist({
  kind,
  values,
  used,
}: {
  kind: MailKind;
  values: Record<string, string>;
  /** Whether these values are sent. The summary is shown only then. */
  used: boolean;
}) {
  const { lines, summary } = buildChecklist(kind, values);
  return (
    <section aria-label="Readiness" className="border-line border-t p-4">
      <ul className="grid gap-x-4 gap-y-1.5 sm:grid-cols-2">
        {lines.map(({ about, state }) => {
          const { sign, word, tone } = SIGNS[state];
          return (
            <li key={about} className="flex gap-2 [overflow-wrap:anywhere]">
              <span aria-hidden className={`w-3 shrink-0 font-semibold ${tone}`}>
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
      {used ? (
        <p className="mt-2 font-semibold" aria-live="polite">
          {summary}
        </p>
      ) : null}
    </section>
  );
}
