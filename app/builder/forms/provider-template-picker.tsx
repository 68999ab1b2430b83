import { FileText } from "lucide-react";
import { useState } from "react";
import type { MailType } from "~/pieces/mail-type";
import { Notice } from "~/ui/notice";
import { listRows } from "../draft/recipients";
import { IntentButton, type ProviderTemplate, useForm } from "./form-context";

export function formatTemplatesFailed(reason: string): string {
  return `Templates could not be loaded: ${reason}. You can still enter a template's ID.`;
}

/** The account's templates to choose from, those that fit the piece first. Without JavaScript a choice posts the form. */
export function ProviderTemplatePicker({ kind }: { kind: MailType }) {
  const { draft, change, providerTemplates: templates } = useForm();
  const { loaded, loading, reload } = templates;
  const chosen = draft.values.template ?? "";
  const [hidden, setHidden] = useState(false);
  const listed = listRows(loaded);
  const known = listed.find(({ id }) => id === chosen.trim());
  const { fitting, others } = orderTemplates(listed, kind === "postcard" ? (draft.values.size ?? "") : null);
  const choose = (id: string) => {
    change({ type: "value", name: "template", value: id });
    setHidden(true);
  };
  const open = loaded?.state === "loaded" && !hidden;
  return (
    <div className="mt-1.5" aria-live="polite">
      <p className="flex flex-wrap gap-x-3 *:py-1">
        {known ? <strong>{known.name}</strong> : null}
        {loading ? (
          <span className="text-dim">Loading templates...</span>
        ) : open ? (
          <button type="button" className="link needs-script" onClick={() => setHidden(true)}>
            Hide templates
          </button>
        ) : (
          <IntentButton
            intent="load_templates"
            className="link"
            onPress={() => {
              setHidden(false);
              if (loaded?.state !== "loaded") reload();
            }}
          >
            Browse templates
          </IntentButton>
        )}
      </p>
      {loaded?.state === "failed" && !loading ? (
        <Notice tone="warn" urgent>
          {formatTemplatesFailed(loaded.reason)}
        </Notice>
      ) : null}
      {open && listed.length === 0 ? <p>This account has no templates.</p> : null}
      {open && listed.length > 0 ? (
        <div className="mt-1.5 max-h-80 overflow-y-auto rounded-[6px] border border-line bg-sunken p-2">
          <Cards label="Templates" templates={fitting} chosen={chosen} onChoose={choose} />
          {others.length > 0 ? (
            <>
              <h3 className="mt-2 mb-1.5 px-1 font-normal text-dim">Other sizes</h3>
              <Cards label="Templates of other sizes" templates={others} chosen={chosen} onChoose={choose} />
            </>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

/** Splits templates into those of the piece's size and others. A letter accepts any letter size. */
export function orderTemplates(
  templates: readonly ProviderTemplate[],
  size: string | null,
): { fitting: ProviderTemplate[]; others: ProviderTemplate[] } {
  const fits = ({ size: own }: ProviderTemplate) => {
    const isLetter = /letter|^a4$/i.test(own);
    if (size === null || isLetter) return size === null && isLetter;
    return size === "" || own.toLowerCase() === size.toLowerCase();
  };
  return { fitting: templates.filter(fits), others: templates.filter((template) => !fits(template)) };
}

interface CardsProps {
  label: string;
  templates: readonly ProviderTemplate[];
  chosen: string;
  onChoose: (id: string) => void;
}

function Cards({ label, templates, chosen, onChoose }: CardsProps) {
  return (
    <ul aria-label={label} className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-2">
      {templates.map((template) => (
        <li key={template.id}>
          <IntentButton
            intent={`template:${template.id}`}
            onPress={() => onChoose(template.id)}
            aria-pressed={template.id === chosen.trim()}
            className="h-full w-full rounded-[6px] border border-line bg-surface p-1.5 text-left hover:border-edge aria-pressed:border-accent aria-pressed:bg-accent-wash"
          >
            <Picture of={template} />
            <span className="mt-1.5 block font-medium [overflow-wrap:anywhere]">{template.name}</span>
            <span className="block text-dim text-small tabular-nums">{formatTemplateFacts(template)}</span>
          </IntentButton>
        </li>
      ))}
    </ul>
  );
}

function Picture({ of: { picture } }: { of: ProviderTemplate }) {
  return (
    <span className="flex aspect-3/2 items-center justify-center overflow-hidden rounded-[3px] bg-sunken">
      {picture ? (
        <img
          src={picture}
          alt=""
          loading="lazy"
          referrerPolicy="no-referrer"
          className="size-full object-contain"
        />
      ) : (
        <FileText aria-hidden size={24} strokeWidth={1.25} className="text-dim" />
      )}
    </span>
  );
}

/** "21001 · 4X6 · 2 pages" */
function formatTemplateFacts({ id, size, pages }: { id: string; size: string; pages: string }): string {
  const count = pages === "" ? "" : pages === "1" ? "1 page" : `${pages} pages`;
  return [id, size, count].filter(Boolean).join(" · ");
}
