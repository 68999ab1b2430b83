/** True for `npm run test:endurance`. */
const LONG = process.env.TEST_ENDURANCE === "1";

/** Picks a count: `short` for every change (`npm test`), `long` for `npm run test:endurance`. */
export function howMany({ short, long }: { short: number; long: number }): number {
  return LONG ? long : short;
}
