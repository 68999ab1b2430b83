import { z } from "zod";
import { DATE_OUT_OF_RANGE, isDateInRange, NOT_A_DATE } from "~/platform/input.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { DAY_MS, formatIsoDay } from "~/platform/time";
import type { Period } from "./reconciliation";

const DEFAULT_DAYS = 30;
const MAX_DAYS = 92;

const day = z.iso.date(NOT_A_DATE).refine(isDateInRange, DATE_OUT_OF_RANGE);

/** The last 30 days, today among them. */
export function choosePeriod(now: Date): Period {
  return { from: formatIsoDay(now.getTime() - (DEFAULT_DAYS - 1) * DAY_MS), to: formatIsoDay(now.getTime()) };
}

/** Parses two days; a missing one has the default of {@link choosePeriod}. Fails with `bad_input`. */
export function parsePeriod(
  given: { from?: string | undefined; to?: string | undefined },
  now: Date,
): Outcome<Period> {
  const usual = choosePeriod(now);
  const period = { from: given.from?.trim() || usual.from, to: given.to?.trim() || usual.to };
  for (const name of ["from", "to"] as const) {
    const parsed = day.safeParse(period[name]);
    if (!parsed.success) return refuse(`${name} ${parsed.error.issues[0]?.message}`);
  }
  const days = (Date.parse(period.to) - Date.parse(period.from)) / DAY_MS + 1;
  if (days < 1) return refuse("from is after to");
  if (days > MAX_DAYS) return refuse(`${days} days are more than ${MAX_DAYS}`);
  return succeed(period);
}

function refuse(problem: string): Outcome<never> {
  return fail("bad_input", `These days cannot be compared: ${problem}. Nothing was compared.`);
}
