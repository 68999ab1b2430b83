import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isTestValue } from "~/outside/mail-provider/request-fields";
import { classifyCall } from "~/proxy/live-mail-rule";

const REFUSED = { failure: { code: "bad_input" } };
const FORBIDDEN = { failure: { code: "forbidden" } };

function classify(path: string, body: unknown = {}, method = "POST", query = {}, allowed: string[] = []) {
  return classifyCall({ method, path, query, body }, allowed);
}

describe("mail", () => {
  test.each([
    ["letters/create", "letter", "letters/create"],
    ["letters/post", "letter", "letters/post"],
    ["postcards/create", "postcard", "postcards/create"],
    ["Postcards/CREATE", "postcard", "postcards/create"],
    ["postcards/create.json", "postcard", "postcards/create"],
    ["letters/post.JSON", "letter", "letters/post"],
  ])("POST %s is a live %s, sent as %s", (path, mailType, sent) => {
    expect(classify(path)).toEqual({ ok: true, value: { kind: "mail", mailType, path: sent, test: false } });
  });

  test.each(["GET", "PUT", "PATCH", "DELETE"])("%s is refused", (method) => {
    expect(classify("postcards/create", undefined, method)).toMatchObject(REFUSED);
  });

  const aliases = `postcards/create/1 postcards/create.xml postcards/create.json.json postcards/create. postcards/create%20
    postcards/create%3Ba=b postcards/Create%20.json postcard/create Letter/Post v1/postcards/create
    index.php/letters/create postcards/%20/create postcards%20/create postcards/create/create
    po%EF%BD%93tcards/create letters/cre%C2%ADate letters/cancel/12 letter/cancel`;
  test.each(aliases.split(/\s+/))("the alias %s is refused", (path) => {
    expect(classify(path)).toMatchObject(REFUSED);
  });

  test.each([
    "postcards/get/1",
    "letters/list",
    "postcards/created",
    "campaigns/create",
    "templates/list/A6",
  ])("%s is free", (path) => {
    expect(classify(path)).toEqual({ ok: true, value: { kind: "free", path } });
  });

  test.each([[[1]], ["text"], [null], [7]])("a body %j that has no fields is refused", (body) => {
    expect(classify("letters/create", body)).toMatchObject(REFUSED);
  });
});

describe("test", () => {
  test.each([true, 1, "true", "1", "yes", "on", "TRUE", " Yes "])("%j is a test", (value) => {
    expect(isTestValue(value)).toBe(true);
    expect(classify("letters/create", { test: value })).toMatchObject({ value: { test: true } });
  });

  const words = ["", ..."0 false no off y t tru 1.0 11".split(" ")];
  test.each([false, 0, 2, 1.5, null, [true], { a: 1 }, ...words])("%j is live", (value) => {
    expect(classify("letters/create", { test: value })).toMatchObject({ value: { test: false } });
  });

  test("anything but the six spellings is live", () => {
    const spellings = ["true", "1", "yes", "on"];
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const meant = value === true || value === 1;
        const spelt = typeof value === "string" && spellings.includes(value.trim().toLowerCase());
        return isTestValue(value) === (meant || spelt);
      }),
    );
  });

  test.each(["Test", " test", "TEST", "test[]", "test[x]", "test.", "te\u017ft"])(
    "the field %j is refused, because it could override `test`",
    (name) => {
      expect(classify("letters/create", { test: true, [name]: 0 })).toMatchObject({ ok: false });
      expect(classify("letters/create", { test: true }, "POST", { [name]: "0" })).toMatchObject({
        ok: false,
      });
    },
  );

  test("`test` in the query is refused, inherited `test` does not count", () => {
    expect(classify("letters/create", {}, "POST", { test: "1" })).toMatchObject({ ok: false });
    expect(classify("letters/create", Object.create({ test: true }))).toMatchObject({
      value: { test: false },
    });
  });
});

test("a cancel is recognised by its only spelling and POST", () => {
  expect(classify("Letters/Cancel.json")).toEqual({
    ok: true,
    value: { kind: "cancel", mailType: "letter", path: "letters/cancel" },
  });
  expect(classify("postcards/cancel", undefined, "GET")).toMatchObject({ ok: false });
});

describe("calls that spend the account's money", () => {
  const spending = ["accounts/topup", "sms/create", "letters/batch", "postcards/batch", "campaigns/book"];

  test.each([
    ...spending,
    "Accounts/TopUp",
    "account/topup",
    "accounts/topup.json",
    "accounts/topup/5",
    "sms%20/create",
  ])("%s is forbidden with every method", (path) => {
    for (const method of ["POST", "GET", "PUT"]) {
      expect(classify(path, {}, method)).toMatchObject(FORBIDDEN);
    }
  });

  test("is allowed in its only spelling when it is listed", () => {
    expect(classify("Campaigns/Book.json", {}, "POST", {}, ["/campaigns/BOOK"])).toEqual({
      ok: true,
      value: { kind: "free", path: "campaigns/book" },
    });
    expect(classify("campaigns/book/1", {}, "POST", {}, ["campaigns/book"])).toMatchObject(FORBIDDEN);
    expect(classify("sms/create", {}, "POST", {}, ["campaigns/book"])).toMatchObject(FORBIDDEN);
  });

  test("listing a letter does not make it free", () => {
    expect(classify("letters/create", {}, "POST", {}, ["letters/create"])).toMatchObject({
      value: { kind: "mail" },
    });
  });
});

describe("mail that has no price", () => {
  const create = (body: unknown, path = "mailings/create") =>
    classifyCall({ method: "POST", path, query: {}, body }, []);

  test.each([true, 1, "true", "yes"])("is allowed as a test (%j)", (test) => {
    expect(create({ test })).toEqual({
      ok: true,
      value: { kind: "sample", path: "mailings/create", test: true },
    });
  });

  test.each([{}, { test: false }, { test: "0" }, undefined])("is refused live (%j)", (body) => {
    expect(create(body)).toMatchObject(FORBIDDEN);
  });

  test("is refused in another spelling, and with `test` in the query", () => {
    expect(create({ test: true }, "mailing/create").ok).toBe(false);
    expect(
      classifyCall(
        { method: "POST", path: "mailings/create", query: { test: "1" }, body: { test: true } },
        [],
      ).ok,
    ).toBe(false);
  });

  test("is allowed live when the server's owner lists it", () => {
    expect(
      classifyCall({ method: "POST", path: "mailings/create", query: {}, body: {} }, ["mailings/create"]),
    ).toMatchObject({ ok: true, value: { kind: "free" } });
  });
});
