import { describe, expect, test } from "vitest";
import { cleanMapping, guessMapping, listUnmapped, parseRow } from "~/bulk/columns";
import { buildBody, buildRules, listRequired, type RowRules } from "~/bulk/list-template.server";
import { checkRow } from "~/bulk/rows/check-row.server";
import { fillVariables } from "~/print/merge/merge";

const RULES: RowRules = {
  mapping: ["firstname", "lastname", "address1", "city", "postcode", "country", "{code}"],
  shared: [],
  columns: 7,
  text: "Hello {firstname}, {code} {greeting}",
  variables: '{"greeting":"Bye"}',
  countries: ["US", "GB", "DE"],
  country: "",
};
const CANNOT_BE_PRINTED =
  "has a character that cannot be printed. Correct it here, or save the file as UTF-8 and import it again.";
const GOOD = ["Ana", "Lopez", "1 Main Street", "Portland", "97205", "US", "C-1"];

describe("a row", () => {
  test("that is complete can be sent", () => {
    expect(checkRow(GOOD, RULES)).toEqual([]);
    const [firstname, lastname, address1, city, postcode, country, code] = GOOD;
    const recipient = { firstname, lastname, address1, city, postcode, country };
    expect(parseRow(GOOD, RULES)).toEqual({ recipient, variables: { code } });
  });

  test.each<[what: string, changes: Record<number, string>, problem: string]>([
    ["without a name and a street", { 1: "", 2: " " }, "Missing: Last name, Address line 1."],
    ["of an unknown country", { 5: "Narnia" }, "Mailroom cannot send to Narnia yet."],
    [
      "whose postcode lost a zero",
      { 4: "2138" },
      expect.stringMatching(/2138.* Excel may have dropped a leading 0\.$/),
    ],
    ["with a formula", { 3: '=HYPERLINK("x")' }, "City is a formula. Export values, not formulas."],
    ["with an error of Excel's", { 3: "#N/A" }, "City is Excel's error #N/A."],
    ["with a control character", { 0: "O\u0092Hara" }, `First name ${CANNOT_BE_PRINTED}`],
    ["with a character that was lost", { 6: "C\uFFFD1" }, `{code} ${CANNOT_BE_PRINTED}`],
    [
      "without a placeholder's value",
      { 6: "" },
      "No value for {code}. Fill it in, or set a default under Columns.",
    ],
    [
      "with more cells than columns",
      { 7: "x" },
      "It has 8 cells, the header has 7. A cell that has the separator in it must be in quotation marks.",
    ],
  ])("%s says so", (_, changes, problem) => {
    const cells = Array.from({ length: 8 }, (_, at) => changes[at] ?? GOOD[at]);
    const present = cells.filter((cell) => cell !== undefined);
    expect(checkRow(present, RULES)).toEqual([problem]);
  });

  test.each([
    ["united kingdom", "GB"],
    ["UK", "GB"],
    ["de", "DE"],
    ["Deutschland", "DE"],
    ["", "US"],
  ])("of the country %j is sent to %s", (input, country) => {
    expect(parseRow(GOOD.with(5, input), { ...RULES, country: "US" }).recipient.country).toBe(country);
  });
});

describe("columns", () => {
  test("are used by their headers, each use once, for a placeholder only if the address has another column", () => {
    const uses = {
      ...{ Vorname: "firstname", Surname: "lastname", "Street address": "address1", Town: "city" },
      ...{ ZIP: "{zip}", Country: "country", "zip code": "postcode", Code: "{code}", Other: "" },
    };
    const own = ["firstname", "code", "zip", "town", "vorname"];
    expect(guessMapping(Object.keys(uses), own)).toEqual(Object.values(uses));
  });

  test("of a form lose unknown and repeated uses", () => {
    const posted = ["city|x", "city", "{code}|{10}\n%", "{other}|x", "lastname|x"];
    const cleaned = cleanMapping(posted, ["a", "b", "c", "d", "e"], ["code", "surname"]);
    expect(cleaned).toEqual(["city", "", "{code}|10 %", "", "lastname|x"]);
  });

  test("print their default for each row without a value, and only in the text; those of the address fill {zip}", () => {
    const body = { message: "Dear {company}, {code|none} {{code}} {zip}", size: "4x6" };
    const call = { baseUrl: "", home: "US", path: "postcards/create", presetId: "" } as const;
    const template = { ...call, body, files: {} };
    const mapping = "firstname,lastname,address1,city,postcode,country,company|you,{code}|10 %".split(",");
    const columns = mapping.map(String);
    const rules = buildRules({ mapping, columns, mailType: "postcard", country: "" }, template);
    const cells = GOOD.with(6, "");
    expect(checkRow(cells, rules)).toEqual([]);
    const row = buildBody(template, cells, rules);
    expect(row.recipient).not.toHaveProperty("company");
    const printed = fillVariables(String(row.message), parseRow(cells, rules).recipient, row.variables);
    expect(printed).toEqual({ text: "Dear you, none 10 % 97205", unknown: [] });
    expect(listUnmapped(mapping, ["company", "code", "zip"], "")).toEqual([]);
    const filled = { ...template, body: { ...body, variables: '{"code":"10 %"}' } };
    expect(listRequired(template)).toEqual(["company", "code", "zip"]);
    expect(listRequired(filled)).toEqual(["company", "zip"]);
  });

  test("that are missing are named", () => {
    expect(listUnmapped(["firstname", "address1", "city"], ["firstname", "code"], "")).toEqual([
      "First name and Last name, or Company",
      "Postcode",
      "Country",
      "{code}",
    ]);
  });
});
