import { useEffect, useState } from "react";
import { formatInteger } from "~/platform/format-integer";
import { useHydrated } from "~/ui/use-hydrated";
import { type Draft, isCustom } from "../draft/draft";
import { buildBodyText, hasInvalidBody } from "../draft/request";
import { IntentButton, useForm } from "./form-context";

export const BODY_FROM_FORM = "Built from the form. Type to edit it by hand.";

interface BodyEditorProps {
  /** The server's hash of the built body. With it the server sees later whether a person edited it. */
  hash: string;
  problem: string | null;
}

/** The JSON body. It follows the form until a person edits it. */
export function BodyEditor({ hash, problem: posted }: BodyEditorProps) {
  const { draft, call, change } = useForm();
  const custom = isCustom(call);
  const invalid = hasInvalidBody(draft);
  const shortened = shortenFiles(draft);
  const contentType = draft.headers.find((pair) => /^content-type$/i.test(pair.name))?.value ?? "";
  const hydrated = useHydrated();
  const text = draft.body ?? buildBodyText(shortened ?? draft, call);
  const problem = useJsonProblem(invalid ? text : null, posted);
  const form = contentType.includes("x-www-form-urlencoded");
  // Read-only: what is shown is not the whole body.
  if (draft.body === null && shortened) {
    return (
      <div className="grid gap-2 p-4">
        <p className="text-dim">Files are shortened here. Edit the request in the form.</p>
        <pre className="wire scrolls max-h-96 rounded-[6px] border border-line bg-sunken p-3">{text}</pre>
      </div>
    );
  }
  return (
    <div className="grid gap-2 p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <label htmlFor="body-text">JSON body</label>
        <span className="text-dim">
          {custom
            ? "Nothing is sent while it is empty."
            : draft.body === null
              ? BODY_FROM_FORM
              : "Edited by hand. The form's fields are not used."}{" "}
          {form ? "It is sent as form data." : ""}
        </span>
      </div>
      <textarea
        id="body-text"
        name="body"
        rows={14}
        spellCheck={false}
        className="control wire leading-5"
        value={text}
        aria-invalid={invalid}
        aria-describedby={invalid ? "body-problem" : undefined}
        onChange={(event) => change({ type: "set", part: { body: event.target.value } })}
      />
      {invalid && problem ? (
        <p id="body-problem" role="status" className="font-semibold text-live">
          {problem}
        </p>
      ) : null}
      <input type="hidden" name="body_built" value={draft.body === null ? hash : ""} />
      {/* The form may have changed the text since the server made the hash. */}
      {hydrated && draft.body === null ? <input type="hidden" name="body_follows" value="1" /> : null}
      <div className="flex min-h-8 items-center gap-3">
        {draft.body === null || custom ? null : <UseFormButton />}
      </div>
    </div>
  );
}

/** Finds the JSON syntax error of a text, by a parser that is loaded with the first one. */
export function useJsonProblem(text: string | null, initial: string | null): string | null {
  const [problem, setProblem] = useState(initial);
  useEffect(() => {
    if (text === null) return setProblem(null);
    let left = false;
    import("./json-problem").then(
      ({ findJsonProblem }) => left || setProblem(findJsonProblem(text)),
      // Without the parser the text is only known to be no JSON.
      () => {},
    );
    return () => {
      left = true;
    };
  }, [text]);
  return problem;
}

/** Longer files are shortened: writing them out at every keystroke is slow, and no one edits them as text. */
const SHOWN_FILE_CHARS = 200_000;

/** Shortens long files for display, or returns null when there is none. */
function shortenFiles(draft: Draft): Draft | null {
  const long = Object.keys(draft.files).filter(
    (name) => (draft.values[name] ?? "").length > SHOWN_FILE_CHARS,
  );
  if (long.length === 0) return null;
  const cut = long.map((name) => {
    const value = draft.values[name] ?? "";
    return [name, `${value.slice(0, 120)}… ${formatInteger(value.length)} characters`];
  });
  return { ...draft, values: { ...draft.values, ...Object.fromEntries(cut) } };
}

export function UseFormButton() {
  const { action, change } = useForm();
  return (
    <IntentButton
      intent="use_form"
      formAction={action}
      className="button"
      onPress={() => change({ type: "set", part: { body: null } })}
    >
      Use the form again
    </IntentButton>
  );
}
