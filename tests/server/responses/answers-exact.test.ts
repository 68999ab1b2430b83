import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import { type ExactJson, JsonNumber, parseExact, writeExact } from "~/ui/json/exact-json";
import { findTable, listColumns, toCells, writeTableCsv } from "~/ui/json/json-table";
import { JsonTree } from "~/ui/json/json-view";
import { listRows, toRoot } from "~/ui/json/tree-rows";
import { loadConsole } from "../../support/console/console-routes";
import { ANA } from "../../support/console/payment-console";
import { newEmbedded } from "../../support/database/embedded";

const KEY = "emulator-key-0000000000000001";
const JSON_TYPE = "application/json";

function listOf(text: string): ExactJson[] {
  const table = findTable(toRoot(parseExact(text) as ExactJson));
  return (table?.value ?? []) as ExactJson[];
}

/** JSON in the format of `JSON.stringify`, except for its numbers and names, so that it must be unchanged. */
const JSON_TEXTS = [
  "12345678901234567890",
  "-0",
  "1.10",
  "1e400",
  "0.1000000000000000055511151231257827",
  "null",
  "true",
  '"OK"',
  '"\\u0000 \\ud800"',
  "[]",
  "{}",
  "[[],{},[{}]]",
  '{"id":12345678901234567890,"price":1.10}',
  '{"2":"b","1":"a","10":"c"}',
  '{"a":1,"a":2,"a":{"a":3}}',
  '{"__proto__":{"polluted":true},"constructor":1,"toString":null}',
  '{"__proto__":1,"hasOwnProperty":2}',
  '{"":"empty","a b":"space","é":"accent","\\"":"quote"}',
  '{"success":true,"data":{"__proto__":[1.10,1.10]}}',
  '{"success":false,"error":"No such recipient"}',
  '{"success":true,"data":[{"id":1.0,"tag":"a","tag":"b"},{"id":2.50,"note":"=1+1"}]}',
  '[{"b":1e3,"a":[1.0]},{"a":"x,\\"y\\"","c":-5}]',
  '{"emoji":"🎂","rtl":"\u05d0\u05d1","line":"\u2028"}',
  `[${"1.0,".repeat(2_000)}1]`,
  `${"[".repeat(60)}${"]".repeat(60)}`,
  `${"[".repeat(3_000)}${"]".repeat(3_000)}`,
  `["${"x".repeat(1_000_100)}"]`,
];
const TEXTS: [text: string, type?: string][] = [
  ["plain", "text/plain"],
  ["id;name\r\n1;Ana\r\n", "text/csv"],
  ["<!doctype html><title>502</title>", "text/html"],
  ["<?xml version='1.0'?><a/>", "application/xml"],
  ["<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"],
  [' {\n  "a": 1.0\n}\n'],
  ['{"a":1,}'],
  ["01"],
  ["binary, 5 bytes"],
  ["a\0b", "text/plain"],
];
const PDF = Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n\0 %%EOF", "latin1");
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
const FILES: [bytes: Buffer, type: string, shown: string | null, name?: string][] = [
  [PDF, "application/pdf", "application/pdf", "response.pdf"],
  [PDF, "text/html", "application/pdf", "response.pdf"],
  [Buffer.from(`%PDF-1.4\n${"x".repeat(1_400_000)}\n%%EOF`), JSON_TYPE, "application/pdf"],
  [Buffer.from("89504e470d0a1a0a0000000d", "hex"), "image/png", "image/png", "response.png"],
  [Buffer.from("ffd8ffe000104a464946", "hex"), "application/octet-stream", "image/jpeg", "response.jpg"],
  [Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1"), "image/gif", "image/gif", "response.gif"],
  [Buffer.from("RIFF\x04\0\0\0WEBPVP8 ", "latin1"), "image/webp", "image/webp"],
  [Buffer.from("PK\x03\x04\xff\xfe", "latin1"), "application/zip", "application/zip", "response.zip"],
  [Buffer.from("1f8b0800ff", "hex"), "application/x-gzip", "application/gzip", "response.gz"],
  [Buffer.from("00ff10fe", "hex"), "application/octet-stream", "application/octet-stream", "response.bin"],
  [Buffer.from("a\0b"), "application/octet-stream", "application/octet-stream"],
  // Texts in other encodings.
  [Buffer.from("name\nZürich\n", "latin1"), "text/csv", null, "response.csv"],
  [Buffer.from("Zürich €", "latin1"), "text/plain; charset=iso-8859-1", null, "response.txt"],
  [utf16('{"city":"Zürich"}'), JSON_TYPE, null, "response.json"],
  [Buffer.from('\ufeff{"city":"Zürich"}'), JSON_TYPE, null],
  [Buffer.from([0x82, 0xa0]), "text/plain; charset=shift_jis", null],
  [Buffer.from("caf\xe9", "latin1"), "text/plain; charset=unknown", null],
];

const ANSWERS = [
  ...JSON_TEXTS.map((text) => ({ bytes: Buffer.from(text), type: JSON_TYPE, name: "response.json" })),
  ...TEXTS.map(([text, type = JSON_TYPE]) => ({ bytes: Buffer.from(text), type, name: undefined })),
  ...FILES.map(([bytes, type, , name]) => ({ bytes, type, name })),
];
const FIRST_FILE = JSON_TEXTS.length + TEXTS.length;

let provider: Server;
let loadStored: typeof import("~/responses/search/find-response.server")["loadStoredAnswer"];
let saveResponse: typeof import("~/responses/save/save-response.server")["saveResponse"];
let ask: (at: number | string) => Promise<ProxyResponse>;

beforeAll(async () => {
  provider = createServer(({ url }, response) => {
    const last = url?.split("/").at(-1) ?? "";
    const filling = last === "large" ? "\0".repeat(6_000_000) : `\0 ${KEY} \xff`;
    const answer = ANSWERS[Number(last)] ?? { bytes: Buffer.from(`%PDF-${filling}`, "latin1"), type: "" };
    response.writeHead(200, { "Content-Type": answer.type }).end(answer.bytes);
  }).listen(0, "127.0.0.1");
  await once(provider, "listening");
  await loadConsole({
    SESSION_SECRET: "a secret",
    STANNP_API_KEY: KEY,
    STANNP_BASE_URLS: `US=http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`,
    DATABASE_URL: newEmbedded(),
  });
  const { answerRequest } = await import("~/proxy/send-request.server");
  ({ loadStoredAnswer: loadStored } = await import("~/responses/search/find-response.server"));
  ({ saveResponse } = await import("~/responses/save/save-response.server"));
  // A first read waits for its response's write, but not for a database that is opening.
  await (await import("~/platform/database/database.server")).pingDatabase();
  ask = async (at) => {
    const request = { path: `objects/get/${at}`, method: "GET" };
    const sent = await answerRequest(request, ANA, new AbortController().signal);
    if (!sent.ok) throw new Error(sent.failure.message);
    return JSON.parse(sent.value.json) as ProxyResponse;
  };
});
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});

async function loadAnswer(id: string | undefined) {
  const found = await loadStored(id ?? "");
  if (!found.ok) throw new Error(found.failure.message);
  return { ...found.value, bytes: Buffer.from(found.value.bytes) };
}

describe("an answer is returned unchanged", () => {
  test.each(ANSWERS.map((answer, at) => [at, answer.bytes.toString("latin1", 0, 60), answer] as const))(
    "%i: %j",
    async (at, _start, { bytes, name }) => {
      const { text, base64, response_id: id } = await ask(at);
      expect((base64 ? Buffer.from(base64, "base64") : Buffer.from(text ?? "")).equals(bytes)).toBe(true);
      const stored = await loadAnswer(id);
      expect(stored.bytes.equals(bytes)).toBe(true);
      if (name) expect(stored.name).toBe(name);
      const copy = await saveResponse({ response_id: id, user_id: ANA.id, tags: ["mine"] }, ANA);
      if (!copy.ok) throw new Error(copy.failure.message);
      expect(copy.value.id).not.toBe(id);
      const copied = await loadAnswer(copy.value.id);
      expect([copied.bytes.equals(bytes), copied.type]).toEqual([true, stored.type]);
    },
  );

  test.each(FILES.map(([bytes, type, shown], index) => [type, bytes.length, shown, index] as const))(
    "%s, %i bytes: its text is shown, or it is a file of type %s",
    async (_type, length, shown, index) => {
      const { text, error, response_id: id } = await ask(FIRST_FILE + index);
      const stored = await loadAnswer(id);
      expect(stored.isFile).toBe(shown !== null);
      if (shown === null) return;
      expect([text, stored.type]).toEqual([`binary, ${length.toLocaleString("en")} bytes`, shown]);
      if (/pdf|image/.test(shown)) expect(error).toBeNull();
    },
  );

  test("a file of more than 5 MB is stored as a text that says so", async () => {
    const stored = await loadAnswer((await ask("large")).response_id);
    expect(stored).toMatchObject({ name: "response.txt", isFile: false });
    expect(stored.bytes.toString()).toBe("binary, 6,000,005 bytes, over 5 MB, not stored");
  });

  test("except for the key, also in a file", async () => {
    const { base64, response_id: id } = await ask("key");
    expect(Buffer.from(base64 ?? "", "base64").toString("latin1")).toBe("%PDF-\0 [hidden] \xff");
    expect((await loadAnswer(id)).bytes.toString("latin1")).toContain("[hidden]");
  });
});

describe("JSON is shown in its original text", () => {
  test.each(JSON_TEXTS.map((text) => [text.slice(0, 60), text]))("%s", (_start, text) => {
    const value = parseExact(text) as ExactJson;
    expect(writeExact(value)).toBe(text);
    const lines = listRows(toRoot(value), { level: Number.POSITIVE_INFINITY, changed: new Map() });
    const numbers = lines.flatMap((line) => (line.value instanceof JsonNumber ? [line.value.text] : []));
    expect(numbers).toEqual(text.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[\d.eE+-]*/g) ?? []);
    if (lines.length > 1_000) return;
    const tree = renderToStaticMarkup(createElement(JsonTree, { text }));
    for (const number of numbers) expect(tree).toContain(`>${number}<`);
    expect(tree.match(/json-key/g)?.length ?? 0).toBe(
      lines.filter(({ key }) => typeof key === "string").length,
    );
  });

  test.each([
    ['[{"b":1e3,"a":[1.0]},{"a":"x,\\"y\\"","c":-5}]', "b,a,c", "1e3,[1.0],", ',"x,""y""",-5'],
    [
      '{"data":[{"id":1.0,"tag":"a","tag":"b"},{"id":2.50,"note":"=1+1"}]}',
      "id,tag,tag (2),note",
      "1.0,a,b,",
      "2.50,,,'=1+1",
    ],
    ['[{"__proto__":12345678901234567890,"2":1,"1":-0}]', "__proto__,2,1", "12345678901234567890,1,-0"],
  ])("%s as a table and as CSV", (text, ...lines) => {
    const rows = listOf(text).map(toCells);
    expect(writeTableCsv(rows, listColumns(rows)).trimEnd().split("\r\n")).toEqual(lines);
  });
});
