import fc from "fast-check";
import { expect, test } from "vitest";
import { addSendTag, dropSendTags, formatSendTag, mayBeOfSend, parseSendId } from "~/pieces/send-tag";

const ID = "0123456789abcdef0123456789abcdef";
const OTHER = ID.replaceAll("0", "f");
const OWN = formatSendTag(ID);

test("a piece belongs to the send that its tags name, in any position", () => {
  expect(parseSendId(OWN)).toBe(ID);
  expect(parseSendId(`spring, ${OWN} ,blue`)).toBe(ID);
  expect(parseSendId(`${OWN},${OWN}`)).toBe(ID);
  expect(parseSendId("spring,mailroom-,mailroom-UPPER000")).toBeNull();
});

test("a piece that names several sends belongs to none for certain, and may belong to each", () => {
  const both = `${OWN},${formatSendTag(OTHER)}`;
  expect(parseSendId(both)).toBeNull();
  expect([ID, OTHER].map((id) => mayBeOfSend(both, id))).toEqual([true, true]);
});

test.each([1, 3, 20])("a piece whose tags were cut to %d characters may belong to the send", (length) => {
  expect(parseSendId(OWN.slice(0, length))).not.toBe(ID);
  expect(mayBeOfSend(OWN.slice(0, length), ID)).toBe(true);
});

test("a piece without tags, or with others, does not belong to the send", () => {
  expect(["", " , ", "spring", formatSendTag(OTHER)].some((tags) => mayBeOfSend(tags, ID))).toBe(false);
});

test("tags of sends that a caller copied are dropped, others are unchanged", () => {
  expect(dropSendTags(` spring,${OWN}, ${OWN.toUpperCase()} ,,blue`)).toBe(" spring,blue");
  expect(dropSendTags("mailroom-spring,mailroom")).toBe("mailroom-spring,mailroom");
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constant(OWN))), (input) => {
      const tags = addSendTag(dropSendTags(input.join(",")), formatSendTag(OTHER));
      expect(parseSendId(tags)).toBe(OTHER);
      expect(parseSendId(tags.slice(0, 50).split(",").slice(0, 1).join())).toBe(OTHER);
    }),
  );
});
