import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { findOnlyPage, search } from "~/find/search.server";
import { SearchPage } from "~/find/search-page";
import { requirePageForm } from "~/people/check-request.server";
import { requirePageViewer } from "~/people/viewer.server";

export const meta = titlePage("Search");

/** Results of each kind. */
const LIMIT = 20;

/** Searches for an ID or a page in a link. What people type is posted, so that no name is in an address. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  const result = await search(new URL(request.url).searchParams.get("q") ?? "", LIMIT, new Date());
  const page = findOnlyPage(result);
  if (page !== null) throw redirect(page);
  return result;
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { form } = await requirePageForm({ request, context });
  const result = await search(String(form.get("q") ?? ""), LIMIT, new Date());
  const page = findOnlyPage(result);
  return page === null ? result : redirect(page, 303);
}

export default function SearchRoute() {
  const linked = useLoaderData<typeof loader>();
  const typed = useActionData<typeof action>();
  return <SearchPage result={typed ?? linked} />;
}
