import type { ReactNode } from "react";
import { LETTER_SECTIONS, POSTCARD_SECTIONS } from "~/catalogue/mail-sections";
import type { FormField } from "~/catalogue/types";
import type { MailType } from "~/pieces/mail-type";
import { isRecord, parseJson, parseRecord } from "~/platform/json-value";
import { fillVariables, listVariables, parseVariables } from "~/print/merge/merge";
import { useRemembered } from "~/ui/use-remembered";
import { findDetails } from "../draft/recipients";
import { FoldedSummary, FormFieldControl } from "./field-form";
import { useForm } from "./form-context";
import { ProviderTemplatePicker } from "./provider-template-picker";
import { RecipientSection } from "./recipient-section";
import { TeamTemplateForm } from "./team-template-form";

interface MailFormProps {
  kind: MailType;
  /** The switch between test and live, which is also the field `test`. */
  modeSwitch: ReactNode;
}

/** The postcard or letter form: design and recipient first, the rest folded with what is set in it. */
export function MailForm({ kind, modeSwitch }: MailFormProps) {
  const { call, teamTemplate } = useForm();
  const findFields = (names: readonly string[]) =>
    names.flatMap((name) => call.fields.find((field) => field.name === name) ?? []);
  const sections = kind === "postcard" ? POSTCARD_SECTIONS : LETTER_SECTIONS;
  return (
    <>
      <section
        aria-label="Essential Settings"
        className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-4 py-2"
      >
        <h2 className="text-[13px]">Essential Settings</h2>
        {findFields(["size"]).map((field) => (
          <div key={field.name} className="beside-label">
            <FormFieldControl field={field} />
          </div>
        ))}
        {modeSwitch}
      </section>
      <RecipientSection />
      {sections.map(({ title, fields, folded }) =>
        folded ? (
          <Folded key={title} title={title} fields={findFields(fields)} kind={kind} />
        ) : (
          <section key={title} aria-label={title} className="border-line border-b">
            <h2 className="px-4 pt-3 text-[13px]">{title}</h2>
            <Fields fields={findFields(fields)} kind={kind} />
          </section>
        ),
      )}
      <TeamTemplateForm key={teamTemplate?.id} />
    </>
  );
}

interface FieldsProps {
  fields: FormField[];
  kind: MailType;
}

function Folded({ title, fields, kind }: FieldsProps & { title: string }) {
  const { problems, draft } = useForm();
  const wrong = fields.some(({ name }) => problems.some(({ field }) => field === name));
  const [last, remember] = useRemembered<"folded" | "open">(`section.${title}`, "folded");
  return (
    <section aria-label={title} className="border-line border-b last:border-b-0">
      {/* A problem inside opens it. */}
      <details
        key={wrong ? "wrong" : "fine"}
        open={wrong || last === "open" ? true : undefined}
        onToggle={({ currentTarget }) => {
          if (!wrong) remember(currentTarget.open ? "open" : "folded");
        }}
      >
        <FoldedSummary title={title} set={formatSet(fields, draft.values)} />
        <Fields fields={fields} kind={kind} />
      </details>
    </section>
  );
}

function Fields({ fields, kind }: FieldsProps) {
  const text = kind === "postcard" ? "message" : "content";
  return (
    <div className="grid gap-x-4 gap-y-3 px-4 pt-2 pb-4 sm:grid-cols-2">
      {fields.map((field) => (
        <div
          key={field.name}
          className={
            field.type === "textarea" || field.type === "several" || ["file", "template"].includes(field.name)
              ? "min-w-0 sm:col-span-2"
              : "min-w-0"
          }
        >
          <FormFieldControl field={field} />
          {field.name === "template" ? <ProviderTemplatePicker kind={kind} /> : null}
          {field.name === text ? <Placeholders field={text} /> : null}
        </div>
      ))}
    </div>
  );
}

const NO_VALUE = "no value";

const OFFERED = ["firstname", "lastname", "company", "city"];
/** Placeholders that every recipient fills. */
const OF_RECIPIENT = [
  ...OFFERED,
  ...["title", "address1", "address2", "state", "postcode", "country", "email", "phone"],
];

/** The placeholders of a text as a row of chips, each with its value or a place to give it one; and more to insert. */
function Placeholders({ field }: { field: "message" | "content" }) {
  const { draft, listed, change } = useForm();
  const details = findDetails(draft.values, listed);
  const text = draft.values[field] ?? "";
  const variables = draft.values.variables ?? "";
  const names = listVariables(text);
  // Text that is no object yet must not be lost.
  const parsed = variables.trim() === "" ? {} : parseJson(variables);
  const setVariable = (name: string, value: string) => {
    const { [name]: _, ...others } = parseRecord(parsed);
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
                  readOnly={!isRecord(parsed)}
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

/** Formats the values of some fields in one line: "Font size 12, In colour". */
function formatSet(fields: readonly FormField[], values: Readonly<Record<string, string>>): string {
  const set = fields.flatMap((field) => {
    const value = (values[field.name] ?? "").trim();
    if (value === "") return [];
    if (field.type === "boolean") return value === "true" ? [field.label] : [];
    const word = field.words ? (value === "true" ? field.words.yes : field.words.no) : value;
    return [`${field.label}: ${word}`];
  });
  return set.join(" · ") || "provider's defaults";
}

const SHARED_TIPS = [
  "Start in test mode: you get a free PDF and nothing is mailed. Then send the tested piece live: the same content, with test mode off.",
  "Creating a piece sends it. There is no draft at the provider. A live piece can be cancelled only until it is printed.",
  "Use tags to find pieces in reports. Separate several tags with commas.",
  "The recipient's details and your variables fill {firstname}, {offer} and other placeholders in your text. A placeholder without a value stops the send.",
  "Variables are a JSON object. They reach a template only with a new recipient.",
];

const TIPS: Record<MailType, string[]> = {
  postcard: [
    "Front and back: JPG, PNG or PDF with one page each. Images may be at most 3000 x 3000 px. Include the bleed: it is cut off.",
    "For 6x11, use a PDF. An image that fills it needs more than 3000 px.",
    "Give a template ID or a front image. If you give both, the provider uses the template.",
    "The signature must be exactly 768 x 118 px. It is printed below the message.",
    "Clear zones print white behind the address and barcode so that machines can read them.",
    ...SHARED_TIPS,
  ],
  letter: [
    "Give a template ID, a PDF file or text content.",
    "Text content becomes a PDF: 12 pt Arial with one-inch margins, US Letter for the US base URL and A4 for the others. The first page starts below the address area (approximate).",
    "The provider refuses PDFs with more than ten pages.",
    "In your own PDF, leave room for the address at the top of page 1. The preview shows where it is printed.",
    ...SHARED_TIPS,
  ],
};

export function Tips({ kind }: { kind: MailType }) {
  return (
    <ul className="grid list-disc gap-2 p-4 pl-8">
      {TIPS[kind].map((tip) => (
        <li key={tip}>{tip}</li>
      ))}
    </ul>
  );
}
