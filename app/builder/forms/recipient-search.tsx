import { type KeyboardEvent, useEffect, useState } from "react";
import { formatInteger } from "~/platform/format-integer";
import { describeControl, Field } from "~/ui/field";
import { useHydrated } from "~/ui/use-hydrated";
import { findNameProblem } from "../draft/mail-rules";
import {
  formatPerson,
  formatRecipientRow,
  type ListedRecipient,
  resolveRecipient,
  searchRecipients,
} from "../draft/recipients";
import { useFieldProblem, useForm } from "./form-context";

const SHOWN = 8;
/** Offered below the empty field, each one press away. */
const OFFERED = 3;
const LIST_ID = "recipient-options";

/**
 * A saved recipient: search by name, company, city, postcode or ID, and choose. What is sent is the ID; a name that only
 * one recipient has becomes its ID when the field is left. Without JavaScript the browser offers the loaded recipients,
 * and nothing looks a name up.
 */
export function RecipientSearch() {
  const { draft, listed, change } = useForm();
  const refused = useFieldProblem("recipient");
  const hydrated = useHydrated();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const [left, setLeft] = useState(false);
  const value = draft.values.recipient ?? "";
  const found = open ? searchRecipients(value, listed) : [];
  const shown = found.slice(0, SHOWN);
  const write = (text: string) => change({ type: "value", name: "recipient", value: text });
  // Also when the list comes after the field was left.
  const id = left ? resolveRecipient(value, listed) : value;
  useEffect(() => {
    if (id !== value) change({ type: "value", name: "recipient", value: id });
  }, [id, value, change]);
  // Without a list nothing can be looked up here; then the send says so.
  const problem = refused ?? (left && listed.length > 0 ? findNameProblem(value.trim(), listed) : null);
  const choose = (recipient: ListedRecipient) => {
    write(recipient.id);
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setActive(open ? (active + step + shown.length) % Math.max(1, shown.length) : 0);
      setOpen(true);
    }
    const at = shown[active];
    if (event.key === "Enter" && open && at) {
      // Enter chooses here. It would send the form otherwise.
      event.preventDefault();
      choose(at);
    }
    if (event.key === "Escape") setOpen(false);
  };
  return (
    <Field id="field-recipient" label="Existing recipient" error={problem}>
      <div className="relative">
        <input
          id="field-recipient"
          name="field.recipient"
          type="text"
          className="control"
          placeholder="Name, company, city, postcode or ID"
          autoComplete="off"
          spellCheck={false}
          value={value}
          {...describeControl({ id: "field-recipient", error: problem })}
          {...(hydrated
            ? {
                role: "combobox",
                "aria-expanded": open && shown.length > 0,
                "aria-controls": LIST_ID,
                "aria-autocomplete": "list" as const,
                "aria-activedescendant": open && shown[active] ? `${LIST_ID}-${active}` : undefined,
              }
            : { list: LIST_ID })}
          onChange={(event) => {
            write(event.target.value);
            setActive(0);
            setOpen(true);
            setLeft(false);
          }}
          onClick={() => setOpen(true)}
          onKeyDown={onKeyDown}
          onBlur={() => {
            setOpen(false);
            setLeft(true);
          }}
        />
        {hydrated ? null : (
          <datalist id={LIST_ID}>
            {listed.map((recipient) => (
              <option key={recipient.id} value={recipient.id}>
                {formatRecipientRow(recipient)}
              </option>
            ))}
          </datalist>
        )}
        <div
          hidden={shown.length === 0}
          className="absolute inset-x-0 top-full z-20 mt-1 rounded-[6px] border border-edge bg-surface py-1 shadow-lg"
        >
          <div id={hydrated ? LIST_ID : undefined} role="listbox" aria-label="Saved recipients" tabIndex={-1}>
            {shown.map((recipient, at) => (
              <div
                key={recipient.id}
                id={`${LIST_ID}-${at}`}
                role="option"
                tabIndex={-1}
                aria-selected={at === active}
                className="cursor-pointer px-2.5 py-1 [overflow-wrap:anywhere] aria-selected:bg-accent-wash"
                // The field keeps the focus, so that leaving it does not close the list first.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(recipient)}
                onKeyDown={onKeyDown}
              >
                {formatRecipientRow(recipient)}
              </div>
            ))}
          </div>
          {found.length > shown.length ? (
            <p className="px-2.5 py-1 text-[12px] text-dim">
              {`${formatInteger(found.length - shown.length)} more. Type more to narrow the search.`}
            </p>
          ) : null}
        </div>
      </div>
      {value === "" ? (
        // Reserves the height of a row of buttons, so that the form stays where it is when they are loaded.
        <ul
          aria-label="Recipients to choose at once"
          className="needs-script mt-1.5 flex min-h-[calc(1lh+2px)] flex-wrap gap-1.5 text-small"
        >
          {listed.slice(0, OFFERED).map((recipient) => (
            <li key={recipient.id} className="min-w-0">
              <button
                type="button"
                title={formatRecipientRow(recipient)}
                className="max-w-full cursor-pointer truncate rounded-[4px] border border-line px-1.5 hover:border-ink"
                onClick={() => choose(recipient)}
              >
                <span className="sr-only">To </span>
                {formatPerson(recipient)}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </Field>
  );
}
