import { useEffect, useMemo, useState } from "react";
import { CopyButton } from "~/ui/copy-button";
import { FilterChoice } from "~/ui/field";
import { useHydrated } from "~/ui/use-hydrated";
import { useRemembered } from "~/ui/use-remembered";
import type { BaseUrlView } from "../../draft/draft";
import { useForm } from "../form-context";
import type { CodeChoice, writeCode } from "./write-code";

const LANGUAGES: Record<CodeChoice["language"], string> = {
  curl: "curl",
  javascript: "JavaScript",
  php: "PHP",
  python: "Python",
};
const TARGETS = { provider: "to the provider", mailroom: "through Mailroom" };
const SELECTS = [
  { part: "language", label: "Language", names: LANGUAGES },
  { part: "target", label: "Call", names: TARGETS },
] as const;
const MOST_ROWS = 30;

export const FIRST_CODE: CodeChoice = { language: "curl", target: "provider" };

/** Parses a posted or stored choice. Unknown values become the first of their list. */
export function parseCodeChoice(language: unknown, target: unknown): CodeChoice {
  return {
    language:
      typeof language === "string" && language in LANGUAGES ? (language as keyof typeof LANGUAGES) : "curl",
    target: target === "mailroom" ? "mailroom" : "provider",
  };
}

interface CodePanelProps {
  open: boolean;
  base: BaseUrlView;
  payerId: string | null;
  /** The server's version, shown until JavaScript has loaded the writers. */
  first: { choice: CodeChoice; text: string; note: string } | null;
}

export function CodePanel({ open, base, payerId, first }: CodePanelProps) {
  const { draft, call, action } = useForm();
  const [remembered, remember] = useRemembered<string>("code", "curl/provider");
  const [language, target] = remembered.split("/");
  const choice: CodeChoice = useHydrated()
    ? parseCodeChoice(language, target)
    : (first?.choice ?? FIRST_CODE);
  const [write, setWrite] = useState<{ code: typeof writeCode } | "failed" | null>(null);
  const loaded = write !== null;
  useEffect(() => {
    if (!open || loaded) return;
    import("./write-code").then(
      ({ writeCode }) => setWrite({ code: writeCode }),
      () => setWrite("failed"),
    );
  }, [open, loaded]);
  const code = useMemo(() => {
    if (write === "failed") return null;
    if (!open || write === null) {
      const isFirst = first?.choice.language === choice.language && first.choice.target === choice.target;
      return isFirst ? first : null;
    }
    return write.code({ draft, call, base, payerId }, window.location.origin, choice);
  }, [open, write, draft, call, base, payerId, choice, first]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
      <div className="flex flex-wrap items-end gap-2">
        {SELECTS.map(({ part, label, names }) => (
          <FilterChoice
            key={part}
            label={label}
            name={`code_${part}`}
            value={choice[part]}
            options={Object.entries(names)}
            onChange={({ target: { value } }) =>
              remember(part === "language" ? `${value}/${choice.target}` : `${choice.language}/${value}`)
            }
          />
        ))}
        <noscript>
          <button type="submit" name="intent" value="code" formAction={`${action}#code`} className="button">
            Show code
          </button>
        </noscript>
        {code ? (
          <span className="ml-auto">
            <CopyButton text={code.text} subject="code" />
          </span>
        ) : null}
      </div>
      {write === "failed" ? (
        <p role="alert">The code could not be loaded. Check the connection and open the tab again.</p>
      ) : null}
      {code === null ? null : (
        <>
          <textarea
            readOnly
            aria-label="Code"
            wrap="off"
            rows={Math.min(MOST_ROWS, code.text.split("\n").length + 1)}
            value={code.text}
            className="control wire leading-5"
          />
          <p className="text-dim">{code.note}</p>
        </>
      )}
    </div>
  );
}
