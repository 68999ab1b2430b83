import { search } from "~/find/search.server";
import { parseRecord } from "~/platform/json-value";
import { succeed } from "~/platform/outcome";
import { jsonBodyRoute } from "~/route-handlers.server";

/** The number of results of each kind while a person types. */
const LIMIT = 5;

/** Searches for the palette. The words are posted, so that no name is in an address. */
export const action = jsonBodyRoute(async ({ body, now }) => {
  const { q } = parseRecord(body);
  return succeed(await search(typeof q === "string" ? q : "", LIMIT, now));
});
