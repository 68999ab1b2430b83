/** Whether `npm run test:endurance` runs this test. */
const LONG = process.env.TEST_ENDURANCE === "1";

/** How many of them: `short` with every change (`npm test`), `long` with `npm run test:endurance`. */
export function howMany({ short, long }: { short: number; long: number }): number {
  return LONG ? long : short;
}
