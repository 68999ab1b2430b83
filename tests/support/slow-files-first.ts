import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that wait long for leases, kills and time limits: begun first, so that no worker is alone with one at the end. */
const SLOW = [
  "money/storm",
  "money/checkouts-shuffled",
  "money/parallel",
  "money/g5-outages",
  "money/cancel-kills",
  "money/g5-pglite",
  "money/cancel-parallel",
  "money/g5-leases",
  "server/studio",
  "money/cancel-moments",
  "money/model",
  "embedded-database",
  "responses-export",
  "money/verify-ledger",
  "mail-api",
  "money/cancel-answers",
];

export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = SLOW.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
      return found < 0 ? SLOW.length : found;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
