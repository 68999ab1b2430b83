import { formatCount } from "~/platform/format-integer";
import { Notice } from "~/ui/notice";
import { FALLBACK_RECIPIENT } from "../draft/draft";
import {
  findRecipientChoice,
  formatRecipient,
  RECIPIENT_CHOICE,
  type RecipientChoice,
} from "../draft/recipients";
import { AddressCheckPanel } from "./address-check-panel";
import { FormFieldControl } from "./field-form";
import { IntentButton, useForm } from "./form-context";
import { RecipientSearch } from "./recipient-search";

export const NO_RECIPIENTS = "No recipients found for this user.";

export function formatLoadFailed(reason: string): string {
  return `Could not load recipients: ${reason}.`;
}

export function formatFallbackUsed(recipientId: string): string {
  return `Recipient ${recipientId} is used instead, in test mode only.`;
}

const HALVES: { value: RecipientChoice; label: string }[] = [
  { value: "saved", label: "Saved" },
  { value: "new", label: "New" },
];
/** The new recipient's rows, in columns of twelve. */
const DETAILS: [name: string, span: string][] = [
  ["recipient_title", "sm:col-span-2"],
  ["recipient_firstname", "sm:col-span-5"],
  ["recipient_lastname", "sm:col-span-5"],
  ["recipient_company", "sm:col-span-12"],
  ["recipient_address1", "sm:col-span-7"],
  ["recipient_address2", "sm:col-span-5"],
  ["recipient_city", "sm:col-span-5"],
  ["recipient_state", "sm:col-span-3"],
  ["recipient_postcode", "sm:col-span-4"],
  ["recipient_country", "sm:col-span-3"],
  ["recipient_email", "sm:col-span-5"],
  ["recipient_phone", "sm:col-span-4"],
];

/** Switches between a saved and a new recipient. CSS shows the chosen half, so it works without JavaScript. */
export function RecipientSection() {
  const { call, draft, home, change } = useForm();
  const choice = findRecipientChoice(draft.values);
  const findField = (name: string) => call.fields.find((field) => field.name === name);
  return (
    <section aria-label="Recipient Information" className="border-line border-b px-4 pt-2 pb-3">
      <fieldset className="recipient min-w-0">
        <legend className="sr-only">Saved or new recipient</legend>
        {HALVES.map(({ value }) => (
          <input
            key={value}
            id={`recipient-${value}`}
            type="radio"
            name={`field.${RECIPIENT_CHOICE}`}
            value={value}
            checked={choice === value}
            className="sr-only"
            onChange={() => {
              change({ type: "value", name: RECIPIENT_CHOICE, value });
              if (value === "new" && !draft.values.recipient_country) {
                change({ type: "value", name: "recipient_country", value: home });
              }
            }}
          />
        ))}
        <div className="mb-1.5 flex flex-wrap items-center gap-x-4 gap-y-1">
          <h2 className="text-[13px]">Recipient Information</h2>
          <div className="flex overflow-hidden rounded-[6px] border border-edge">
            {HALVES.map(({ value, label }) => (
              <label
                key={value}
                htmlFor={`recipient-${value}`}
                className="cursor-pointer px-2.5 py-1 text-dim"
              >
                {label}
              </label>
            ))}
          </div>
        </div>
        <div className="of-saved">
          <RecipientSearch />
          <SavedRecipients />
        </div>
        <div className="of-new grid gap-x-3 gap-y-2 sm:grid-cols-12">
          {DETAILS.map(([name, span]) => {
            const field = findField(name);
            return field ? (
              <div key={name} className={`min-w-0 ${span}`}>
                <FormFieldControl field={field} />
              </div>
            ) : null;
          })}
          <div className="sm:col-span-12">
            <AddressCheckPanel />
          </div>
        </div>
      </fieldset>
    </section>
  );
}

function SavedRecipients() {
  const { recipients, draft, listed } = useForm();
  const { loaded, loading, reload } = recipients;
  const chosen = listed.find(({ id }) => id === draft.values.recipient);
  const fallback = draft.fallbackRecipient ? <> {formatFallbackUsed(FALLBACK_RECIPIENT)}</> : null;
  return (
    <div className="mt-1.5 grid gap-2" aria-live="polite">
      {/* Without JavaScript the server loads them again for the next page. */}
      {loaded?.state === "loaded" ? <input type="hidden" name="recipients_loaded" value="1" /> : null}
      {loading ? <p className="text-dim">Loading recipients...</p> : null}
      {chosen ? (
        <p>
          <strong>{formatRecipient(chosen)}</strong>{" "}
          <span className="text-dim">
            {[chosen.address1, `${chosen.state} ${chosen.postcode}`.trim(), chosen.country, `ID ${chosen.id}`]
              .filter(Boolean)
              .join(", ")}
          </span>
        </p>
      ) : null}
      {loaded?.state === "loaded" && listed.length === 0 ? (
        <p>
          {NO_RECIPIENTS}
          {fallback}
        </p>
      ) : null}
      {listed.length > 0 && !chosen ? (
        <p className="text-dim">{`Search ${formatCount(listed.length, "recipient")}`}</p>
      ) : null}
      {loaded?.state === "failed" && !loading ? (
        <Notice tone="warn" urgent>
          {formatLoadFailed(loaded.reason)}
          {fallback} <LoadButton label="Retry" onClick={reload} />
        </Notice>
      ) : null}
      {loaded === null && !loading ? (
        <p>
          <LoadButton label="Load recipients" onClick={reload} />
          {fallback}
        </p>
      ) : null}
    </div>
  );
}

/** Without JavaScript it posts the form, and the next page has the list. */
function LoadButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <IntentButton intent="load_recipients" className="link" onPress={onClick}>
      {label}
    </IntentButton>
  );
}
