import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that wait long for leases, kills and time limits: begun first, so that no worker is alone with one at the end. */
const SLOW = [
  "money/storm",
  "bulk/list-sending",
  "money/failover",
  "money/checkouts-shuffled",
  "money/send-parallel",
  "money/send-outages",
  "money/cancel-kills",
  "money/send-embedded-kills",
  "money/cancel-parallel",
  "money/send-leases",
  "platform/stopping",
  "platform/studio",
  "money/cancel-moments",
  "money/model",
  "platform/embedded-database",
  "responses/responses-export",
  "money/verify-ledger",
  "mail/mail-api",
  "money/cancel-answers",
  "money/send-bounded",
  "sending/send-tested",
  "sending/duplicates",
  "money/send-listed",
  "platform/backup",
  "platform/rate-limits",
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
