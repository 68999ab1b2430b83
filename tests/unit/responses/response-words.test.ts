import { expect, test } from "vitest";
import { writeResponseWords } from "~/responses/search/response-words.server";

test("values of request and answer at any depth are found, names of fields and headers are not", () => {
  const request = {
    base: "US",
    headers: { "x-note": "secret" },
    query: { page: "2" },
    body: { recipient: { firstname: "Siobhán", city: "Cork" } },
  };
  const answer = { success: true, data: [{ id: 88_412, tags: ["spring-2026"] }] };
  const found = writeResponseWords(JSON.stringify(request), JSON.stringify(answer));
  expect(found).toEqual({ words: " 2 siobhan cork 88412 spring 2026 ", isComplete: true });
});

test("the beginning of a long or truncated answer is found, and a request of any shape", () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => ({ name: `person${n}`, note: "x".repeat(40) }));
  const { words, isComplete } = writeResponseWords('{"note":"kept by hand"}', JSON.stringify({ rows }));
  expect(words).toContain(" kept by hand ");
  expect(words).toContain(" person0 ");
  expect(words).not.toContain(" name ");
  expect(words.length).toBeLessThan(60 * 600);
  expect(isComplete).toBe(false);
  expect(writeResponseWords(null, "not JSON").words).toBe("");
});

test("escaped text, numbers, and a truncated value of a long answer are found", () => {
  const row = '{"na\\u006de":"Siobh\\u00e1n \\"Vonn\\" O\\u2019Malley","id":-42.5,"done":true},';
  const answer = `[${row.repeat(3_000)}{"note":"${"cut ".repeat(50_000)}`;
  expect(writeResponseWords(null, answer).words).toBe(" siobhan vonn omalley 42 5 ");
  expect(writeResponseWords(null, `{"id":1,"text":"${"lengthier ".repeat(60_000)}`).words).toBe(
    " 1 lengthier ",
  );
});

test("an answer that nests very deeply is read", () => {
  expect(writeResponseWords(null, `${"[".repeat(5_000)}"deep"${"]".repeat(5_000)}`).words).toBe(" deep ");
});
