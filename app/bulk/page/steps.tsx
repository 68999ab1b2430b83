import { STEPS } from "../messages";
import { formatToCorrect } from "../rows/messages";
import type { ListView } from "./list-view";

type StepName = keyof typeof STEPS;

/** How far a list is on its way to the start, and what is next. */
export function Steps({ list }: { list: ListView }) {
  const current = findStep(list);
  const names = Object.keys(STEPS) as StepName[];
  const at = names.indexOf(current);
  // Before the columns are chosen, every row is wrong for one reason.
  const wrong = list.unmapped.length > 0 ? 0 : list.counts.problem;
  return (
    <ol aria-label="Steps" className="flex flex-wrap items-center gap-x-5 gap-y-1 border-line border-y py-2">
      {names.map((name, index) => (
        <li
          key={name}
          aria-current={index === at ? "step" : undefined}
          className={`flex items-center gap-2 ${index === at ? "font-semibold" : "text-dim"}`}
        >
          <span
            className={`flex size-5 items-center justify-center rounded-full border text-small tabular-nums ${
              index === at ? "border-ink bg-ink text-paper" : index < at ? "border-ok text-ok" : "border-edge"
            }`}
          >
            {index < at ? (
              <>
                <span aria-hidden>✓</span>
                <span className="sr-only">Done:</span>
              </>
            ) : (
              index + 1
            )}
          </span>
          {STEPS[name]}
          {name === "check" && wrong > 0 && index <= at ? (
            <span className="font-normal text-warn tabular-nums">{formatToCorrect(wrong)}</span>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

/** Rows with problems are not sent, so they hold no one up once others are ready and the columns are chosen. */
function findStep({ columns, unmapped, counts, quote }: ListView): StepName {
  if (columns.length === 0) return "import";
  if (unmapped.length > 0 || counts.ready === 0) return "check";
  return quote?.tested ? "start" : "test";
}
