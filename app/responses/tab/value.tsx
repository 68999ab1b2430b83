import { JsonView } from "~/ui/json/json-view";
import { readBodyText } from "../save/body-text";

/** Limit of a text without a scroll box. */
const PLAIN_CHARS = 4_000;

/**
 * Shows a body: JSON as a tree, anything else as text.
 * @param text as it is stored
 */
export function Value({ label, text }: { label: string; text: string | null }) {
  const plain = readBodyText(text);
  if (plain === "") return <p className="p-4 text-dim">Nothing.</p>;
  if (plain === text) return <JsonView text={text} label={label} />;
  if (plain.length > PLAIN_CHARS) {
    return <textarea readOnly aria-label={label} value={plain} rows={24} className="control wire block" />;
  }
  return <pre className="wire whitespace-pre-wrap p-4 [overflow-wrap:anywhere]">{plain}</pre>;
}
