import type { Pair } from "../draft/draft";

/** Rows of name and value, and one empty row to add another. Clearing both inputs removes a row. */
export function PairsEditor({
  kind,
  legend,
  pairs,
  action,
  onChange,
}: {
  kind: "query" | "header";
  legend: string;
  pairs: Pair[];
  /** Where the form is posted without JavaScript; the page then returns to these rows. */
  action: string;
  onChange: (pairs: Pair[]) => void;
}) {
  const rows = [...pairs, { name: "", value: "" }];
  const change = (index: number, part: Partial<Pair>) => {
    const next = rows.map((row, at) => (at === index ? { ...row, ...part } : row));
    onChange(next.filter((row, at) => at < pairs.length || row.name !== "" || row.value !== ""));
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
              onClick={() => onChange(pairs.filter((_, at) => at !== index))}
            >
              Remove
            </button>
          ) : null}
        </div>
      ))}
      <noscript>
        <button type="submit" name="intent" value="update" formAction={action} className="button">
          Add row
        </button>
      </noscript>
    </fieldset>
  );
}
