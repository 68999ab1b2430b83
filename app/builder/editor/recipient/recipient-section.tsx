import type { ReactNode } from "react";
import type { CallTemplate, Draft } from "../../draft";
import { FormFieldControl } from "../../request/field-form";
import type { Problem } from "../../request/request";
import type { DraftChange } from "../../use-draft";
import type { ListView } from "../use-provider-list";
import { findRecipientChoice, RECIPIENT_CHOICE, type RecipientChoice } from "./recipient-choice";
import { RecipientSearch } from "./recipient-search";
import type { LoadedRecipients } from "./recipients";
import { SavedRecipients } from "./saved-recipients";

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

/** To whom: a switch between a saved and a new recipient. CSS shows the chosen half, so it works without JavaScript. */
export function RecipientSection({
  title,
  template,
  draft,
  problems,
  change,
  recipients,
  addressCheck,
}: {
  title: string;
  template: CallTemplate;
  draft: Draft;
  problems: Problem[];
  change: (change: DraftChange) => void;
  recipients: ListView<LoadedRecipients>;
  addressCheck: ReactNode;
}) {
  const choice = findRecipientChoice(draft.values);
  const findField = (name: string) => template.fields.find((field) => field.name === name);
  const listed = recipients.loaded?.state === "loaded" ? recipients.loaded.recipients : [];
  return (
    <section aria-label={title} className="recipient border-line border-b px-4 pt-2 pb-3">
      <div className="mb-1.5 flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="text-[13px]">{title}</h2>
        <fieldset className="flex overflow-hidden rounded-[6px] border border-edge">
          <legend className="sr-only">Saved or new recipient</legend>
          {HALVES.map(({ value, label }) => (
            <label
              key={value}
              className="cursor-pointer px-2.5 py-1 text-dim has-checked:bg-accent-wash has-checked:font-semibold has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:-outline-offset-2"
            >
              <input
                type="radio"
                name={`field.${RECIPIENT_CHOICE}`}
                value={value}
                checked={choice === value}
                className="sr-only"
                onChange={() => change({ type: "value", name: RECIPIENT_CHOICE, value })}
              />
              {label}
            </label>
          ))}
        </fieldset>
      </div>
      <div className="of-saved">
        <RecipientSearch
          draft={draft}
          listed={listed}
          error={problems.find(({ field }) => field === "recipient")?.message ?? null}
          change={change}
        />
        <SavedRecipients recipients={recipients} draft={draft} />
      </div>
      <div className="of-new grid gap-x-3 gap-y-2 sm:grid-cols-12">
        {DETAILS.map(([name, span]) => {
          const field = findField(name);
          return field ? (
            <div key={name} className={`min-w-0 ${span}`}>
              <FormFieldControl
                field={field}
                path={template.path}
                draft={draft}
                problems={problems}
                change={change}
              />
            </div>
          ) : null;
        })}
        <div className="sm:col-span-12">{addressCheck}</div>
      </div>
    </section>
  );
}
