import { fillVariables, listVariables, parseVariables } from "~/print/merge/merge";
import { findDetails } from "../draft/recipients";
import { useForm } from "./form-context";

const NO_VALUE = "no value";

const OFFERED = ["firstname", "lastname", "company", "city"];
/** Placeholders that every recipient fills. */
const OF_RECIPIENT = [
  ...OFFERED,
  ...["title", "address1", "address2", "state", "postcode", "country", "email", "phone"],
];

/** The placeholders of a text as a row of chips, each with its value or a place to give it one; and more to insert. */
export function Placeholders({ field }: { field: "message" | "content" }) {
  const { draft, listed, change } = useForm();
  /** Null if only the provider knows the recipient. */
  const details = findDetails(draft.values, listed);
  const text = draft.values[field] ?? "";
  const variables = draft.values.variables ?? "";
  const names = listVariables(text);
  const setVariable = (name: string, value: string) => {
    const { [name]: _, ...others } = Object.fromEntries(parseVariables(variables));
    const next = value === "" ? others : { ...others, [name]: value };
    const json = Object.keys(next).length === 0 ? "" : JSON.stringify(next);
    change({ type: "value", name: "variables", value: json });
  };
  const insert = (name: string) => {
    const area = document.getElementById(`field-${field}`);
    const at = area instanceof HTMLTextAreaElement ? area.selectionStart : text.length;
    change({ type: "value", name: field, value: `${text.slice(0, at)}{${name}}${text.slice(at)}` });
    area?.focus();
  };
  return (
    <ul aria-label="Placeholders" className="mt-1.5 flex flex-wrap items-center gap-1.5 text-[12px]">
      {names.map((name) => {
        const ofRecipient = fillVariables(`{${name}}`, details, "");
        const filled = parseVariables(variables).get(name) ?? "";
        const fixed = ofRecipient.unknown.length === 0;
        const missing = !fixed && filled === "" && details !== null;
        return (
          <li
            key={name}
            className={`flex max-w-full min-w-0 flex-wrap items-center gap-x-1.5 rounded-[4px] border px-1.5 ${missing ? "border-live" : "border-line"}`}
          >
            <span className="wire [overflow-wrap:anywhere]">{`{${name}}`}</span>
            {fixed ? (
              <span className="max-w-40 truncate text-dim">{ofRecipient.text}</span>
            ) : (
              <>
                <input
                  aria-label={`Value of {${name}}`}
                  className="needs-script w-28 bg-transparent outline-offset-0"
                  placeholder={details === null && OF_RECIPIENT.includes(name) ? "from recipient" : NO_VALUE}
                  value={filled}
                  onChange={(event) => setVariable(name, event.target.value)}
                />
                <span className="in-data-[script=ready]:hidden">{filled || (missing ? NO_VALUE : "")}</span>
              </>
            )}
          </li>
        );
      })}
      {OFFERED.filter((name) => !names.includes(name)).map((name) => (
        <li key={name} className="needs-script">
          <button type="button" className="text-dim hover:text-ink" onClick={() => insert(name)}>
            <span aria-hidden>+ </span>
            <span className="sr-only">Insert </span>
            <span className="wire">{`{${name}}`}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
