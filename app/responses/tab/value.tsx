import { JsonView } from "~/ui/json/json-view";

/** A longer text gets a scroll box. */
const PLAIN_CHARS = 4_000;

/** A body: JSON as a tree, anything else as text. */
export function Value({ label, value }: { label: string; value: unknown }) {
  if (value === null || value === undefined || value === "") return <p className="p-4 text-dim">Nothing.</p>;
  if (typeof value !== "string") return <JsonView value={value} label={label} />;
  if (value.length > PLAIN_CHARS) {
    return <textarea readOnly aria-label={label} value={value} rows={24} className="control wire block" />;
  }
  return <pre className="wire whitespace-pre-wrap p-4 [overflow-wrap:anywhere]">{value}</pre>;
}
