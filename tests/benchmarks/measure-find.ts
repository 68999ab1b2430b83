import { call, type Measured, type Measurement } from "./benchmark";

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
export async function* measureFind(at: Measured): AsyncGenerator<Measurement> {
  const { search } = await import("~/find/search.server");
  for (const [name, text] of SEARCHES) {
    const post = {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ q: text }),
    };
    yield {
      name,
      product: () => search(text, 5, new Date()),
      http: [() => call(at, "/api/search", post)],
    };
  }
}
