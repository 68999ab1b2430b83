import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ListsPage } from "~/bulk/page/lists-page";
import { loadListsPage } from "~/bulk/page/load-lists-page.server";
import { requirePageViewer } from "~/people/viewer.server";
import { dataWithFlash } from "~/platform/http/flash.server";
import { statusOf } from "~/platform/http/replies.server";

export const meta: MetaFunction = () => [{ title: "Lists · Mailroom" }];

export async function loader({ request }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  const lists = await loadListsPage(new Date());
  if (!lists.ok) return data({ lists: [], failure: lists.failure, flash: null }, statusOf(lists.failure));
  return dataWithFlash(request, { lists: lists.value, failure: null });
}

export default function Lists() {
  return <ListsPage {...useLoaderData<typeof loader>()} />;
}
