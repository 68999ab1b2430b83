import { expect, test } from "vitest";
import { ALARM_KINDS } from "~/alarms/alarm-kinds";
import { formatOpenAlarms, formatPiece, formatTimes } from "~/alarms/messages";

test.each([
  [formatOpenAlarms(1), "1 alarm"],
  [formatOpenAlarms(1200), "1,200 alarms"],
  [formatTimes(1), "Reported once"],
  [formatTimes(3), "Reported 3 times"],
  [formatPiece("postcard", "Jane Smith", "2192"), "Postcard to Jane Smith"],
  [formatPiece("letter", null, "2192"), "Letter"],
  [formatPiece(null, null, "2192"), "Piece 2192"],
  [ALARM_KINDS.mailed_after_release, "A piece was mailed after its credits were given back"],
])("the page of alarms says: %s", (said, expected) => {
  expect(said).toBe(expected);
});
