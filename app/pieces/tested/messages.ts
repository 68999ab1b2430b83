import { NOTHING_DONE } from "~/platform/outcome";

/** The sentences about tested pieces. */

const TEST_AGAIN = "Test it again, then send it live.";
export const ONLY_LIVE_FROM_TESTED = `A tested piece can only be sent as live mail. ${NOTHING_DONE}`;
export const TESTED_PIECE_NOT_FOUND = `You have no such tested piece. ${NOTHING_DONE} ${TEST_AGAIN}`;
export const TESTED_PDF_NOT_FOUND = "This tested piece is no longer kept. Test again to see its PDF.";
export const TESTED_PDF_MISSING = "The provider gave no PDF for this test that can be shown here.";

/** "Changed since the test: size, message." */
export function formatDifferences(names: readonly string[]): string {
  return `Changed since the test: ${names.join(", ")}.`;
}

export function formatNotAsTested(changed: readonly string[]): string {
  return `This is not what was tested. ${formatDifferences(changed)} ${NOTHING_DONE} ${TEST_AGAIN}`;
}

export function formatTestTooOld(hours: number): string {
  return `This test is older than ${hours} hours; prices and designs may have changed. ${NOTHING_DONE} ${TEST_AGAIN}`;
}

/** @param why the database's own sentence */
export function formatTestNotChecked(why: string): string {
  return `The tested piece cannot be checked: ${why.replace(/\.?$/, ".")} ${NOTHING_DONE}`;
}
