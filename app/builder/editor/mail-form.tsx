import type { ReactNode } from "react";
import { LETTER_SECTIONS, POSTCARD_SECTIONS } from "~/catalogue/mail-sections";
import type { CallTemplate, Draft } from "../draft";
import { FieldForm } from "../request/field-form";
import type { Problem } from "../request/request";
import type { DraftChange } from "../use-draft";
import type { MailKind } from "./mail-kind";
import { RECIPIENT_OPTIONS, RecipientList } from "./recipient-list";
import type { RecipientsView } from "./use-recipients";

/** The postcard or letter form, in sections. */
export function MailForm({
  kind,
  template,
  draft,
  problems,
  change,
  recipients,
  addressCheck,
}: {
  kind: MailKind;
  template: CallTemplate;
  draft: Draft;
  problems: Problem[];
  change: (change: DraftChange) => void;
  recipients: RecipientsView;
  /** Shown below the new recipient. */
  addressCheck: ReactNode;
}) {
  const sections = kind === "postcard" ? POSTCARD_SECTIONS : LETTER_SECTIONS;
  return (
    <>
      {sections.map(({ title, fields }) => (
        <section key={title} aria-label={title} className="border-line border-b last:border-b-0">
          <h2 className="px-4 pt-3 text-base">{title}</h2>
          {fields.includes("recipient") ? <RecipientList recipients={recipients} draft={draft} /> : null}
          <FieldForm
            path={template.path}
            fields={template.fields.filter(({ name }) => fields.includes(name))}
            draft={draft}
            problems={problems}
            change={change}
            lists={{ recipient: RECIPIENT_OPTIONS }}
          />
          {fields.includes("recipient") ? addressCheck : null}
        </section>
      ))}
    </>
  );
}
