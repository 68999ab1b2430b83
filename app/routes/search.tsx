import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { findOnlyPage, search } from "~/find/search.server";
import { SearchPage } from "~/find/search-page";
import { pageAction, pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("Search");

/** Results of each kind. */
const LIMIT = 20;

/** Searches for an ID or a page in a link. What people type is posted, so that no name is in an address. */
export const loader = pageLoader(async ({ query, now }) => {
  const result = await search(query.get("q") ?? "", LIMIT, now);
  const page = findOnlyPage(result);
  if (page !== null) throw redirect(page);
  return result;
});

export const action = pageAction(async ({ form, now }) => {
  const result = await search(String(form.get("q") ?? ""), LIMIT, now);
  const page = findOnlyPage(result);
  return page === null ? result : redirect(page, 303);
});

export default function SearchRoute() {
  const linked = useLoaderData<typeof loader>();
  const typed = useActionData<typeof action>();
  return <SearchPage result={typed ?? linked} />;
}
