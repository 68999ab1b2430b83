import { formatImporting, IMPORTING } from "../import/messages";

/** How much of a file is imported. @param percent null until the server has it */
export function ImportProgress({ percent }: { percent: number | null }) {
  return (
    <div className="max-w-[760px]">
      <p className="text-dim tabular-nums">{formatImporting(percent)}</p>
      <progress
        aria-label={IMPORTING}
        {...(percent === null ? {} : { value: percent, max: 100 })}
        className="mt-1 block h-2 w-full accent-accent"
      />
    </div>
  );
}
