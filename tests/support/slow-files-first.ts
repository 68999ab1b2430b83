import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that wait long for leases, kills and time limits: begun first, so that no worker is alone with one at the end. */
const SLOW = [
  "money/boundary-walk",
  "money/storm",
  "money/send-parallel",
  "money/failover",
  "bulk/list-sending",
  "platform/plain-pages",
  "money/send-faults",
  "money/send-bounded",
  "money/send-embedded-kills",
  "platform/rate-limits",
  "money/model",
  "proxy/send-tested",
  "money/cancel-answers",
  "money/cancel-parallel",
  "money/verify-ledger",
  "mail/mail-api",
  "platform/stopping",
  "platform/backup",
  "responses/responses-export",
  "money/cancel-kills",
  "platform/database-outage",
  "money/send-leases",
  "proxy/duplicates",
  "platform/studio",
  "money/send-answers",
  "pieces/stannp-webhook",
  "people/session",
  "platform/embedded-database",
  "money/checkouts-shuffled",
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
