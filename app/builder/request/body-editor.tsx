import { useHydrated } from "~/ui/use-hydrated";
import type { Draft } from "../draft";
import { UseFormButton } from "./use-form-button";

/** The JSON body: what the form makes, until it is typed over (spec §2 Body tab). */
export function BodyEditor({
  draft,
  built,
  shortened,
  mark,
  problem,
  contentType,
  action,
  onChange,
}: {
  draft: Draft;
  /** The body as the form makes it. */
  built: string;
  /** Whether files are cut in it, so that it is for reading only. */
  shortened: boolean;
  /** The server's mark of that text, by which it tells later whether someone typed here. */
  mark: string;
  problem: string | null;
  contentType: string;
  /** Where the form is posted before JavaScript. */
  action: string;
  onChange: (body: string | null) => void;
}) {
  const hydrated = useHydrated();
  const text = draft.body ?? built;
  const form = contentType.includes("x-www-form-urlencoded");
  if (draft.body === null && shortened) {
    return (
      <div className="grid gap-2 p-4">
        <p className="text-dim">The body holds files, so it is shown shortened and follows the form.</p>
        <pre className="wire max-h-96 overflow-auto rounded-[6px] border border-line bg-sunken p-3">
          {text}
        </pre>
      </div>
    );
  }
  return (
    <div className="grid gap-2 p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <label htmlFor="body-text">JSON body</label>
        <span className="text-dim">
          {draft.body === null
            ? "follows the form; type to take over"
            : "typed by hand; form fields are not used"}
          {form ? "; goes out as a form" : ""}
        </span>
      </div>
      <textarea
        id="body-text"
        name="body"
        rows={14}
        spellCheck={false}
        className="control wire leading-5"
        value={text}
        aria-invalid={problem !== null}
        aria-describedby={problem ? "send-obstacle" : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      <input type="hidden" name="body_built" value={draft.body === null ? mark : ""} />
      {/* The text has gone on following the form since the server marked it. */}
      {hydrated && draft.body === null ? <input type="hidden" name="body_follows" value="1" /> : null}
      <div className="flex min-h-8 items-center gap-3">
        {draft.body === null ? null : <UseFormButton action={action} onUseForm={() => onChange(null)} />}
      </div>
    </div>
  );
}
