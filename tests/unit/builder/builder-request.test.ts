import { describe, expect, test } from "vitest";
import { findDraftCall, MAX_PAIRS, openPreset } from "~/builder/draft/draft";
import { parseDraftForm } from "~/builder/draft/draft-form.server";
import { findLiveMailType, findMailType } from "~/builder/draft/mode";
import { readAddress } from "~/builder/draft/read-address";
import {
  BROKEN_PERCENT,
  buildBodyText,
  buildFormQuery,
  buildRequest,
  findSendBlock,
  hasInvalidBody,
  listProblems,
} from "~/builder/draft/request";
import type { PresetCall } from "~/catalogue/types";
import { readOwnMs } from "../../support/own-time";

const create: PresetCall = {
  method: "POST",
  path: "postcards/create/{id}",
  query: {},
  headers: { "x-mark": "1" },
  body: { test: true, source: "console" },
  fields: [
    { name: "id", label: "ID", type: "text", required: true },
    { name: "size", label: "Size", type: "select", required: true, placeholder: "4x6", options: ["4x6"] },
    { name: "test", label: "Test", type: "boolean" },
    { name: "clearzone", label: "Clear zone", type: "boolean" },
    { name: "unverified", label: "Post", type: "choice", words: { yes: "Yes", no: "No" } },
    { name: "addons", label: "Add-ons", type: "several", options: ["A", "B"] },
    { name: "padding", label: "Padding", type: "number" },
    { name: "message", label: "Message", type: "textarea" },
    { name: "recipient_firstname", label: "First name", type: "text" },
    { name: "recipient_city", label: "City", type: "text" },
  ],
};
const list: PresetCall = {
  method: "GET",
  path: "recipients/list",
  query: { page: "1", limit: "25", trace: "yes" },
  headers: {},
  body: {},
  fields: [
    { name: "page", label: "Page", type: "number" },
    { name: "limit", label: "Limit", type: "number" },
    { name: "country", label: "Country", type: "select", options: ["US"] },
  ],
};

const US = { label: "US", url: "https://api-us1.example.com/v1", appendJson: false };
const DASH = { label: "Dash", url: "https://dash.example.com/api/v1", appendJson: true };

describe("A path typed as an address", () => {
  test.each([
    ["/recipients/get/5", "recipients/get/5", "US", []],
    ["https://api-us1.example.com/v1/lists?limit=3#top", "lists", "US", [["limit", "3"]]],
    ["api-us1.example.com/v1/lists", "lists", "US", []],
    ["https://dash.example.com/api/v1/lists.json?a=1&a=2&api_key=k", "lists", "Dash", [["a", "2"]]],
    ["http://api-us1.example.com/v1", "", "US", []],
    ["https://other.example.com/v1/lists?a=1", "https://other.example.com/v1/lists?a=1", "US", []],
    ["lists?", "lists", "US", []],
    [
      "recipients/list?limit=3&x=1",
      "recipients/list",
      "US",
      [
        ["trace", "yes"],
        ["x", "1"],
      ],
    ],
  ])("%s", (path, expected, label, query) => {
    const opened = path.startsWith("recipients/list") ? list : { ...list, query: {} };
    const read = readAddress({ ...openPreset(opened), path }, opened, US, [US, DASH]);
    expect([read.draft.path, read.base.label]).toEqual([expected, label]);
    expect(read.draft.query.map(({ name, value }) => [name, value])).toEqual(query);
    if (opened === list) expect(read.draft.values).toEqual({ page: "", limit: "3", country: "" });
  });

  test("without a preset is a custom request without fields", () => {
    const draft = { ...openPreset(list), path: "objects/1", query: [] };
    const template = findDraftCall(draft, list);
    expect(buildRequest(draft, template)).toEqual({
      method: "GET",
      path: "objects/1",
      query: {},
      headers: {},
      body: undefined,
    });
    const posted = { ...draft, method: "POST" as const };
    expect([buildBodyText(posted, template), buildRequest(posted, template).body]).toEqual(["", undefined]);
    expect(findDraftCall({ ...draft, path: " recipients/list " }, list)).toBe(list);
  });
});

describe("the request of a draft", () => {
  test("drops empty values and false booleans, coerces numbers, groups the recipient, fills {id}", () => {
    const draft = openPreset(create);
    const empty = { recipient_city: "", clearzone: "false", message: "" };
    Object.assign(draft.values, { id: " 17/4 ", padding: "10", recipient_firstname: "Zoë", ...empty });
    expect(buildRequest(draft, create)).toEqual({
      method: "POST",
      path: "postcards/create/17%2F4",
      query: {},
      headers: { "x-mark": "1" },
      body: { source: "console", size: "4x6", test: true, padding: 10, recipient: { firstname: "Zoë" } },
    });
  });

  test("sends no as false, and nothing for the provider's default", () => {
    const send = (unverified: string) => {
      const draft = openPreset(create);
      Object.assign(draft.values, { id: "1", unverified, addons: "A,B" });
      return buildRequest(draft, create).body;
    };
    expect(send("true")).toMatchObject({ unverified: true, addons: "A,B" });
    expect(send("false")).toMatchObject({ unverified: false });
    expect(send("")).not.toHaveProperty("unverified");
  });

  test("puts the form of a GET into the query, with the typed rows first", () => {
    const draft = openPreset(list);
    draft.values.country = "US";
    draft.query.push({ name: "q", value: "9" }, { name: "", value: "lost" });
    expect(buildFormQuery(draft, list).map((pair) => pair.name)).toEqual(["page", "limit", "country"]);
    const query = { page: "1", limit: "25", country: "US", trace: "yes", q: "9" };
    expect(buildRequest(draft, list).query).toEqual(query);
    expect(buildRequest(draft, list).body).toBeUndefined();
  });

  test("is the text edited by hand if there is one", () => {
    const draft = { ...openPreset(create), body: '{"size":"6x9"}' };
    draft.values.id = "1";
    expect(buildRequest(draft, create).body).toEqual({ size: "6x9" });
    expect(buildRequest({ ...draft, body: "  " }, create).body).toBeUndefined();
  });
});

describe("problems of a draft", () => {
  test("an empty path, and invalid JSON in a body", () => {
    const draft = openPreset(create);
    expect(findSendBlock({ ...draft, path: "  " })).toBe("empty_path");
    for (const method of ["POST", "PUT", "PATCH"] as const) {
      expect(findSendBlock({ ...draft, method, body: "{" })).toBe("invalid_json");
    }
    expect(hasInvalidBody({ ...draft, method: "GET", body: "{" })).toBe(false);
    expect(findSendBlock(draft)).toBeNull();
  });

  test("empty required fields, wrong numbers and path names without a value are problems", () => {
    const draft = openPreset(create);
    draft.values.size = "";
    draft.values.padding = "ten";
    draft.path = "postcards/create/{id}/{other}";
    const messages = (changed: typeof draft) =>
      listProblems(changed, create).map((problem) => problem.message);
    expect(messages(draft)).toEqual([
      "ID is required",
      "Size is required",
      "Padding must be a number",
      "{other} in the path has no value",
    ]);
    expect(messages({ ...draft, path: "postcards/create/{id}", body: "{}" })).toEqual(["ID is required"]);
  });

  test("numbers that lose precision and duplicate names are problems", () => {
    for (const number of ["0x10", "Infinity", "1e400", "12345678901234567890"]) {
      const draft = openPreset(list);
      draft.values.page = number;
      expect(listProblems(draft, list)).toEqual([{ field: "page", message: "Page must be a number" }]);
    }
    const draft = openPreset(list);
    draft.query.push({ name: "limit", value: "2" });
    expect(listProblems(draft, list)).toEqual([
      { field: null, message: "Query parameter limit is given twice" },
    ]);
  });
});

describe("A percent sign in the path", () => {
  test.each([
    ["a%", true],
    ["recipients/%zz", true],
    ["%E0%A4%A", true],
    ["a%25", false],
    ["letters%2Fcreate%", true],
  ])("%s never breaks the page, and is refused when it is not an encoding: %s", (path, broken) => {
    for (const template of [create, list]) {
      const draft = { ...openPreset(template), path };
      expect(findMailType(draft)).toBeNull();
      expect(findLiveMailType(draft, template)).toBeNull();
      const messages = listProblems(draft, template).map((problem) => problem.message);
      expect(messages.includes(BROKEN_PERCENT)).toBe(broken);
    }
  });

  test("a lone surrogate in a value of the path is sent as a replacement character", () => {
    const draft = openPreset(create);
    draft.values.id = "a\uD83D";
    expect(buildRequest(draft, create).path).toBe("postcards/create/a%EF%BF%BD");
  });
});

describe("Many rows of query parameters or headers", () => {
  const post = (kind: string, count: number) => {
    const form = new FormData();
    form.set("method", "POST");
    form.set("path", "a/b");
    for (let row = 0; row < count; row++) {
      form.append(`${kind}.name`, `n${row % (count / 2)}`);
      form.append(`${kind}.value`, "1");
    }
    return form;
  };

  test.each(["query", "header"])("%s rows above the limit are dropped with a problem", async (kind) => {
    const { draft, problems } = await parseDraftForm(post(kind, 60_000), list);
    expect(draft.query.length + draft.headers.length).toBe(MAX_PAIRS);
    expect(problems).toMatchObject([{ field: null }]);
    expect((await parseDraftForm(post(kind, MAX_PAIRS), list)).problems).toEqual([]);
  });

  test("are each checked once, not in pairs", () => {
    const query = Array.from({ length: 200_000 }, (_, row) => ({ name: `n${row}`, value: "" }));
    const draft = { ...openPreset(create), path: "a", query };
    const startedAt = readOwnMs();
    const messages = listProblems(draft, create).map((problem) => problem.message);
    expect(readOwnMs() - startedAt).toBeLessThan(5_000);
    expect(messages).toContain("Query parameters: 200 at most");
  });
});
