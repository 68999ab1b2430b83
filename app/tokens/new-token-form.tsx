import { Form, useNavigation } from "@remix-run/react";
import { TOKEN_SCOPES } from "~/platform/http/token-scopes";
import { Field, TextField } from "~/ui/field";
import { useMay } from "~/ui/may";
import { ProblemNotice } from "~/ui/notice";
import { SCOPES } from "./messages";
import { LIFETIMES, type TokenDraft } from "./token-view";

/** Form for a new token. Without JavaScript the answer shows the typed values with their problems. */
export function NewTokenForm({ draft }: { draft: TokenDraft }) {
  const busy = useNavigation().formData?.get("intent") === "create_token";
  const { problems } = draft;
  return (
    <Form method="post" action="/profile" aria-labelledby="new-token" className="grid content-start gap-3">
      <h3 id="new-token">New token</h3>
      <ProblemNotice>{problems.form}</ProblemNotice>
      <TextField
        id="token-name"
        label="Name"
        required
        marked
        description="Up to 60 letters, digits, spaces and . _ -"
        error={problems.name ?? null}
        name="name"
        defaultValue={draft.name}
        maxLength={60}
        placeholder="nightly-job"
      />
      <fieldset aria-describedby={problems.scopes ? "token-scopes-error" : undefined}>
        <legend className="mb-1">Scopes</legend>
        <div className="grid gap-1.5">
          {TOKEN_SCOPES.filter(useMay()).map((scope) => (
            <label key={scope} className="flex items-start gap-2">
              <input
                type="checkbox"
                name="scope"
                value={scope}
                defaultChecked={draft.scopes.includes(scope)}
                className="mt-0.5"
              />
              <span className="min-w-0">
                <span className={`wire ${scope === "send:live" ? "font-semibold text-live" : ""}`}>
                  {scope}
                </span>{" "}
                <span className="text-dim">{SCOPES[scope]}</span>
              </span>
            </label>
          ))}
        </div>
        {problems.scopes ? (
          <p id="token-scopes-error" className="mt-1 font-semibold text-live">
            {problems.scopes}
          </p>
        ) : null}
      </fieldset>
      <div className="grid grid-cols-2 gap-3">
        <Field id="token-days" label="Expires in" error={problems.days ?? null}>
          <select id="token-days" name="days" defaultValue={draft.days} className="control">
            {LIFETIMES.map((days) => (
              <option key={days} value={days}>
                {days === 365 ? "1 year" : `${days} days`}
              </option>
            ))}
          </select>
        </Field>
        <TextField
          id="token-daily"
          label="Credits per day"
          error={problems.dailyCredits ?? null}
          name="daily_credits"
          type="number"
          min={1}
          max={1_000_000}
          step={1}
          defaultValue={draft.dailyCredits}
          placeholder="No limit"
          aria-describedby="token-daily-hint"
        />
      </div>
      <p id="token-daily-hint" className="-mt-2 text-dim text-small">
        Live mail of this token per day (UTC). Leave empty for no limit.
      </p>
      <button
        type="submit"
        name="intent"
        value="create_token"
        disabled={busy}
        className="button button-primary justify-self-start"
      >
        {busy ? "Creating..." : "Create token"}
      </button>
    </Form>
  );
}
