import { useFetcher } from "@remix-run/react";
import { useRef } from "react";
import { useMay } from "~/ui/may";
import type { KeptAs } from "../draft/draft";
import type { Problem } from "../draft/request";
import { IntentButton, useForm } from "./form-context";

export const TEMPLATE_NAME = "template_name";

export const MAX_NAME_CHARS = 80;

export const KEEP_AS_TEMPLATE = "Keep as template";

const ABOUT = "Keeps text, files and settings for the team, without the recipient.";

/** Keeps the draft as a template of the team, or deletes the template that it is from. */
export function KeepTemplate() {
  const form = useForm();
  // The form stays unchanged: only the outcome is shown.
  const fetcher = useFetcher<{ tooLarge: string } | { keptAs: KeptAs | null; postProblems: Problem[] }>();
  const name = useRef<HTMLInputElement>(null);
  const tooLarge = fetcher.data && "tooLarge" in fetcher.data ? fetcher.data.tooLarge : null;
  const posted = fetcher.data && "keptAs" in fetcher.data ? fetcher.data : null;
  const { keptAs } = posted ?? form;
  const refused = (posted?.postProblems ?? form.problems).find(({ field }) => field === TEMPLATE_NAME);
  const problem = tooLarge ?? (refused && `${refused.message}.`);
  const post = (intent: string) => {
    if (!name.current?.form || !navigator.onLine) return;
    const data = new FormData(name.current.form);
    data.set("intent", intent);
    fetcher.submit(data, { method: "post", action: form.action, encType: "multipart/form-data" });
  };
  const busy = fetcher.state !== "idle";
  if (!useMay()("send:test")) return null;
  return (
    <section aria-label={KEEP_AS_TEMPLATE}>
      <details open={posted || problem ? true : undefined}>
        <summary className="flex cursor-pointer items-baseline gap-2 px-4 py-2.5 before:text-[10px] before:text-dim before:content-['▶'] hover:bg-sunken in-open:before:rotate-90">
          <h2 className="shrink-0 text-[13px]">{KEEP_AS_TEMPLATE}</h2>
          <span className="min-w-0 truncate text-dim">{keptAs?.name ?? ABOUT}</span>
        </summary>
        <div className="grid gap-2 px-4 pt-2 pb-4">
          <p className="text-dim">{ABOUT}</p>
          <div className="flex flex-wrap gap-2">
            <input
              ref={name}
              name={TEMPLATE_NAME}
              aria-label="Name of the template"
              aria-invalid={problem ? true : undefined}
              maxLength={MAX_NAME_CHARS}
              defaultValue={keptAs?.name}
              autoComplete="off"
              className="control min-w-40 flex-1"
              onKeyDown={(event) => {
                // Else the first button of the form would be pressed, which sends a test.
                if (event.key !== "Enter") return;
                event.preventDefault();
                post("keep");
              }}
            />
            <IntentButton
              intent="keep"
              formAction={form.action}
              disabled={busy}
              className="button"
              onPress={() => post("keep")}
            >
              {KEEP_AS_TEMPLATE}
            </IntentButton>
            {keptAs ? (
              <>
                <input type="hidden" name="kept_id" value={keptAs.id} />
                <input type="hidden" name="kept_name" value={keptAs.name} />
                <IntentButton
                  intent="drop_template"
                  formAction={form.action}
                  disabled={busy}
                  className="button button-quiet"
                  onPress={() => post("drop_template")}
                >
                  Delete template
                </IntentButton>
              </>
            ) : null}
          </div>
          <p role="status" className={problem ? "font-semibold text-live" : ""}>
            {problem
              ? problem
              : posted
                ? keptAs
                  ? `Kept as "${keptAs.name}".`
                  : "The template was deleted."
                : null}
          </p>
        </div>
      </details>
    </section>
  );
}
