import type { ReactNode } from "react";
import { LETTER_SECTIONS, POSTCARD_SECTIONS } from "~/catalogue/mail-sections";
import type { FormField } from "~/catalogue/types";
import { useRemembered } from "~/ui/use-remembered";
import type { MailKind } from "../draft/draft";
import { FormFieldControl } from "./field-form";
import { useForm } from "./form-context";
import { KeepTemplate } from "./keep-template";
import { Placeholders } from "./placeholders";
import { RecipientSection } from "./recipient-section";
import { TemplatePicker } from "./template-picker";

interface MailFormProps {
  kind: MailKind;
  /** The switch between test and live, which is also the field `test`. */
  modeSwitch: ReactNode;
}

/** The postcard or letter form: design and recipient first, the rest folded with what is set in it. */
export function MailForm({ kind, modeSwitch }: MailFormProps) {
  const { template } = useForm();
  const findFields = (names: readonly string[]) =>
    names.flatMap((name) => template.fields.find((field) => field.name === name) ?? []);
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
      <KeepTemplate />
    </>
  );
}

interface FieldsProps {
  fields: FormField[];
  kind: MailKind;
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
        <summary className="flex cursor-pointer items-baseline gap-2 px-4 py-2.5 before:text-[10px] before:text-dim before:content-['▶'] hover:bg-sunken in-open:before:rotate-90">
          <h2 className="shrink-0 text-[13px]">{title}</h2>
          <span className="min-w-0 truncate text-dim">{formatSet(fields, draft.values)}</span>
        </summary>
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
          {field.name === "template" ? <TemplatePicker kind={kind} /> : null}
          {field.name === text ? <Placeholders field={text} /> : null}
        </div>
      ))}
    </div>
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

const TIPS: Record<MailKind, string[]> = {
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

/** The Tips & Guide tab of a mail form. */
export function Tips({ kind }: { kind: MailKind }) {
  return (
    <ul className="grid list-disc gap-2 p-4 pl-8">
      {TIPS[kind].map((tip) => (
        <li key={tip}>{tip}</li>
      ))}
    </ul>
  );
}
