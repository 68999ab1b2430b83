import { formatCredits } from "~/credits/format-credits";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { Badge } from "~/ui/badge";
import { formatMinutes } from "../sending/messages";
import type { ListView } from "./load-list-page.server";

/** Progress of a list, its pieces by status, and its credits. */
export function ProgressPanel({ list }: { list: ListView }) {
  const { progress, statuses, money, counts } = list;
  return (
    <section aria-label="Progress" className="grid gap-3 border border-line bg-surface p-4">
      {progress ? (
        <div>
          <p className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
            <strong className="text-lead">
              {`${formatInteger(progress.done)} of ${formatCount(progress.total, "row")}`}
            </strong>
            <span className="text-dim">
              {progress.perMinute > 0 ? `${formatInteger(progress.perMinute)} in the last minute` : null}
              {progress.minutesLeft === null ? null : `, ${formatMinutes(progress.minutesLeft)} left`}
            </span>
          </p>
          <progress
            aria-label="Rows sent to the provider"
            value={progress.done}
            max={Math.max(1, progress.total)}
            className="mt-1 block h-2 w-full accent-accent"
          />
        </div>
      ) : null}
      <div className="flex flex-wrap gap-x-8 gap-y-3">
        <dl
          aria-label="Pieces by status"
          className="flex flex-wrap items-baseline gap-x-5 gap-y-1 tabular-nums"
        >
          {[
            ...statuses,
            { word: "refused", tone: "bad" as const, count: counts.refused },
            { word: "not sent yet", tone: "neutral" as const, count: counts.ready + counts.sending },
          ].map(({ word, tone, count }) =>
            count === 0 ? null : (
              <div key={word} className="flex items-baseline gap-2">
                <dt>
                  <Badge tone={tone}>{word}</Badge>
                </dt>
                <dd>{formatInteger(count)}</dd>
              </div>
            ),
          )}
        </dl>
        <dl aria-label="Credits" className="ml-auto flex flex-wrap gap-x-5 gap-y-1 tabular-nums max-sm:ml-0">
          {[
            ["Charged", money.charged] as const,
            ...(money.refunded > 0 ? [["Refunded", money.refunded] as const] : []),
            ["Reserved", money.reserved] as const,
          ].map(([name, credits]) => (
            <div key={name} className="flex gap-2">
              <dt className="text-dim">{name}</dt>
              <dd>{formatCredits(credits)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
