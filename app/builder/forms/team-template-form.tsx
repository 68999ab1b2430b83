import { useFetcher } from "@remix-run/react";
import { useRef } from "react";
import { useMay } from "~/ui/may";
import type { TeamTemplate } from "../draft/draft";
import type { Problem } from "../draft/request";
import { FoldedSummary } from "./field-form";
import { IntentButton, useForm } from "./form-context";

export const TEMPLATE_NAME = "template_name";

export const MAX_NAME_CHARS = 80;

export const KEEP_AS_TEMPLATE = "Keep as template";

const ABOUT = "Keeps text, files and settings for the team, without the recipient.";

/** Keeps the draft as a template of the team, or deletes the template that it is from. */
export function TeamTemplateForm() {
  const form = useForm();
  // The form stays unchanged: only the outcome is shown.
  const fetcher = useFetcher<
    { tooLarge: string } | { teamTemplate: TeamTemplate | null; postProblems: Problem[] }
  >();
  const name = useRef<HTMLInputElement>(null);
  const tooLarge = fetcher.data && "tooLarge" in fetcher.data ? fetcher.data.tooLarge : null;
  const posted = fetcher.data && "teamTemplate" in fetcher.data ? fetcher.data : null;
  const { teamTemplate } = posted ?? form;
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
        <FoldedSummary title={KEEP_AS_TEMPLATE} set={teamTemplate?.name ?? ABOUT} />
        <div className="grid gap-2 px-4 pt-2 pb-4">
          <p className="text-dim">{ABOUT}</p>
          <div className="flex flex-wrap gap-2">
            <input
              ref={name}
              name={TEMPLATE_NAME}
              aria-label="Name of the template"
              aria-invalid={problem ? true : undefined}
              maxLength={MAX_NAME_CHARS}
              defaultValue={teamTemplate?.name}
              autoComplete="off"
              className="control min-w-40 flex-1"
              onKeyDown={(event) => {
                // Else the first button of the form would be pressed, which sends a test.
                if (event.key !== "Enter") return;
                event.preventDefault();
                post("save_template");
              }}
            />
            <IntentButton
              intent="save_template"
              formAction={form.action}
              disabled={busy}
              className="button"
              onPress={() => post("save_template")}
            >
              {KEEP_AS_TEMPLATE}
            </IntentButton>
            {teamTemplate ? (
              <>
                <input type="hidden" name="team_template_id" value={teamTemplate.id} />
                <input type="hidden" name="team_template_name" value={teamTemplate.name} />
                <input type="hidden" name="team_template_saved_at" value={teamTemplate.savedAt} />
                <IntentButton
                  intent="delete_template"
                  formAction={form.action}
                  disabled={busy}
                  className="button button-quiet"
                  onPress={() => post("delete_template")}
                >
                  Delete template
                </IntentButton>
              </>
            ) : null}
          </div>
          <p role="status" className={problem ? "font-semibold text-live" : ""}>
            {problem ??
              (posted && (teamTemplate ? `Kept as "${teamTemplate.name}".` : "The template was deleted."))}
          </p>
        </div>
      </details>
    </section>
  );
}
