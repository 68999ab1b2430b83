import type { Pair } from "../draft/draft";
import { useForm } from "./form-context";

/** Rows of name and value, and one empty row to add another. Clearing both inputs removes a row. */
export function PairsEditor({ kind, legend }: { kind: "query" | "header"; legend: string }) {
  const form = useForm();
  const part = kind === "query" ? "query" : "headers";
  const pairs = form.draft[part];
  const setPairs = (next: Pair[]) => form.change({ type: "set", part: { [part]: next } });
  const rows = [...pairs, { name: "", value: "" }];
  const change = (index: number, next: Partial<Pair>) => {
    const changed = rows.map((row, at) => (at === index ? { ...row, ...next } : row));
    setPairs(changed.filter((row, at) => at < pairs.length || row.name !== "" || row.value !== ""));
  };
  return (
    <fieldset className="grid gap-2 p-4">
      <legend className="sr-only">{legend}</legend>
      {[...rows.entries()].map(([index, row]) => (
        <div key={index} className="flex gap-2">
          <input
            name={`${kind}.name`}
            aria-label={`${legend} name ${index + 1}`}
            className="control wire"
            placeholder="name"
            autoComplete="off"
            value={row.name}
            onChange={(event) => change(index, { name: event.target.value })}
          />
          <input
            name={`${kind}.value`}
            aria-label={`${legend} value ${index + 1}`}
            className="control wire"
            placeholder="value"
            autoComplete="off"
            value={row.value}
            onChange={(event) => change(index, { value: event.target.value })}
          />
          {index < pairs.length ? (
            <button
              type="button"
              className="button needs-script"
              aria-label={`Remove ${legend.toLowerCase()} ${index + 1}`}
              onClick={() => setPairs(pairs.filter((_, at) => at !== index))}
            >
              Remove
            </button>
          ) : null}
        </div>
      ))}
      {/* The page returns to these rows. */}
      <noscript>
        <button
          type="submit"
          name="intent"
          value="update"
          formAction={`${form.action}#${part}`}
          className="button"
        >
          Add row
        </button>
      </noscript>
    </fieldset>
  );
}
