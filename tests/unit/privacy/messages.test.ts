import { expect, test } from "vitest";
import {
  BACKUPS_KEEP,
  CANNOT_UNDO,
  formatCounts,
  NOT_CONFIRMED,
  NOT_FOUND_AGAIN,
  OPEN_PIECES,
} from "~/privacy/messages";

test("an erasure says what is gone, and what stays", () => {
  expect(formatCounts({ pieces: 1, responses: 2, drafts: 0 })).toBe("1 piece, 2 stored responses");
  expect(formatCounts({ drafts: 0 })).toBe("nothing");
  expect(CANNOT_UNDO).toMatch(/Credits and the ledger stay\. This cannot be undone\.$/);
  expect(BACKUPS_KEEP).toContain("a restore erases it again");
});

test("a refusal says that nothing was erased", () => {
  for (const sentence of [NOT_CONFIRMED, NOT_FOUND_AGAIN, OPEN_PIECES])
    expect(sentence).toContain("Nothing was erased");
});
