import { Form } from "@remix-run/react";
import { TextField } from "~/ui/field";
import { ProblemNotice } from "~/ui/notice";
import { Submit } from "~/ui/submit";
import { EVENT_NAMES, WEBHOOK_EVENTS } from "../events";
import type { EndpointDraft } from "../webhooks-post.server";

interface EndpointFormProps {
  draft: EndpointDraft;
  intent: "create" | "save";
  /** ID of the endpoint to create. */
  newId?: string;
}

/** Form of an endpoint. Without JavaScript the answer shows the typed values with their problems. */
export function EndpointForm({ draft, intent, newId }: EndpointFormProps) {
  const { problems } = draft;
  return (
    <Form method="post" aria-labelledby="endpoint-form" className="grid content-start gap-3">
      {newId ? <input type="hidden" name="id" value={newId} /> : null}
      <h2 id="endpoint-form">{intent === "create" ? "New endpoint" : "Settings"}</h2>
      <ProblemNotice>{problems.form}</ProblemNotice>
      <TextField
        id="endpoint-url"
        label="Address"
        required
        marked
        description="https, reachable from the public internet. Redirects are not followed."
        error={problems.url ?? null}
        name="url"
        type="url"
        defaultValue={draft.url}
        maxLength={1000}
        placeholder="https://example.com/webhooks"
      />
      <TextField
        id="endpoint-description"
        label="Description"
        error={problems.description ?? null}
        name="description"
        defaultValue={draft.description}
        maxLength={200}
        placeholder="Sales CRM"
      />
      <fieldset aria-describedby={problems.events ? "endpoint-events-error" : "endpoint-events-about"}>
        <legend className="mb-1">Events</legend>
        <div className="grid gap-1.5">
          {EVENT_NAMES.map((name) => (
            <label key={name} className="flex items-start gap-2">
              <input
                type="checkbox"
                name="event"
                value={name}
                defaultChecked={draft.events.includes(name)}
                className="mt-0.5"
              />
              <span className="min-w-0">
                <span className="wire">{name}</span>{" "}
                <span className="block text-dim text-small">{WEBHOOK_EVENTS[name]}</span>
              </span>
            </label>
          ))}
        </div>
        <p id="endpoint-events-about" className="mt-1 text-dim text-small">
          Payloads have ids, states and credits. Names and addresses are never in them.
        </p>
        {problems.events ? (
          <p id="endpoint-events-error" className="mt-1 font-semibold text-live">
            {problems.events}
          </p>
        ) : null}
      </fieldset>
      <Submit intent={intent} working="Saving..." className="button-primary justify-self-start">
        {intent === "create" ? "Create endpoint" : "Save"}
      </Submit>
    </Form>
  );
}
