import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that wait long for leases, kills and time limits: started first, so that no worker is left alone with one
 * at the end.
 */
const SLOW = `money/storm platform/plain-pages money/failover money/boundary-walk platform/backup money/model
  money/send-parallel platform/stopping platform/rate-limits money/send-faults money/send-bounded
  money/verify-ledger bulk/list-sending platform/studio money/send-leases platform/embedded-database
  money/database-faults people/session platform/database-outage`.split(/\s+/);

export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = SLOW.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
      return found < 0 ? SLOW.length : found;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
