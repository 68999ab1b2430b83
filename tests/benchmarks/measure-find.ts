import { call, type Measured, type Measurement } from "./benchmark";
import { measure } from "./measure";

/** What people search for, and how rare it is. */
const SEARCHES: readonly [name: string, text: string][] = [
  ["one piece among all, the oldest", "siobhan omalley"],
  ["the same with two letters swapped", "siobahn omalley"],
  ["a city of every twentieth", "portland"],
  ["two letters that begin many words", "ma"],
  ["a value of one response", "4711"],
  ["words that nobody has", "xyzzyx quuxquux"],
  ["a pasted mail ID", "10000042"],
];

/** Each search by itself, and as the palette asks for it. */
export async function* measureFind(at: Measured, samples: number): AsyncGenerator<Measurement> {
  const { search } = await import("~/find/search.server");
  const { splitWords } = await import("~/platform/search-words");
  for (const [name, text] of SEARCHES) {
    const words = splitWords(text);
    const values = words.map((word) => `% ${word}%`);
    const conditions = words.map((_, n) => `search_text LIKE $${n + 1}`).join(" AND ");
    const raw = {
      text: `SELECT id FROM mail_items WHERE ${conditions} ORDER BY created_at DESC LIMIT 5`,
      values,
    };
    yield {
      name,
      timings: [
        await measure(samples, () => at.raw.query(raw)),
        await measure(samples, () => search(text, 5, new Date())),
        await measure(samples, () =>
          call(at, "/api/search", {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ q: text }),
          }),
        ),
      ],
    };
  }
}
