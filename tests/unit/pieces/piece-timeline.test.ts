import { expect, test } from "vitest";
import { findStateWord, listEvents, type ReportedStatus } from "~/pieces/page/piece-view.server";
import type { SendRecord } from "~/pieces/send/send-record.server";

const AT = new Date("2026-11-20T12:00:00Z");

test("a mailed piece is labelled with the status of the lists, any other with its state", () => {
  expect(findStateWord("accepted", "local_delivery")).toEqual({ word: "Out for delivery", tone: "neutral" });
  expect(findStateWord("accepted", "returned")).toEqual({ word: "Returned", tone: "bad" });
  expect(findStateWord("accepted", null).word).toBe("Mailed");
  expect(findStateWord("needs_review", null).word).toBe("Needs a decision");
  expect(findStateWord("cancelling", "received").word).toBe("Being cancelled");
});

test("a repeated status adds no line; one that returns does", () => {
  const times = { at: AT, reportedAt: null };
  const report = (status: string, source: ReportedStatus["source"]) => ({ status, source, ...times });
  const statuses = [
    report("received", "send"),
    report("producing", "webhook"),
    report("producing", "refresh"),
    report("received", "refresh"),
  ];
  const person = { addressCheck: null, actorId: "auth-ana", via: null };
  const send = { createdAt: AT, settledAt: AT, attempts: 1, ...person } as unknown as SendRecord;
  const events = listEvents(send, { rows: [], statuses, history: [] }, (id) => id, AT);
  expect(events.map(({ text }) => text)).toEqual(["Status received", "Status producing", "Status received"]);
});
