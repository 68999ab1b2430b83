/** The sentences about the search. */

export const SEARCH_HINT =
  "Names, companies, cities, postcodes, values in answers, presets and pages. A pasted ID goes straight to its page.";
export const SIMILAR = "similar spelling";

/** Nothing has these words. */
export function formatNothingFound(query: string): string {
  return `Nothing found for “${query}”. Try fewer or shorter words, or paste an ID.`;
}

export function formatCount(count: number): string {
  return count === 0 ? "No results" : `${count} result${count === 1 ? "" : "s"}`;
}
