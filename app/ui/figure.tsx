import { formatInteger } from "~/platform/format-integer";

/** A headline number in a `dl`: its label, the number and a remark. */
export function Figure({ label, value, note }: { label: string; value: number; note?: string }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-dim">{label}</dt>
      <dd className="flex flex-col">
        <span className="font-semibold text-figure tabular-nums leading-8">{formatInteger(value)}</span>
        {note ? <span className="text-dim">{note}</span> : null}
      </dd>
    </div>
  );
}
