import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { handleBulkPost, nextAddress, readInput, toImportFailure } from "~/bulk/bulk-post.server";
import { listGroups } from "~/bulk/import/import-group.server";
import { ListPage } from "~/bulk/page/list-page";
import type { ListView } from "~/bulk/page/load-list-page.server";
import { loadListPage } from "~/bulk/page/load-list-page.server";
import { requirePoster } from "~/people/check-request.server";
import { requirePageViewer } from "~/people/viewer.server";
import { readPageForm } from "~/platform/http/body.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { requireValue, statusOf } from "~/platform/http/replies.server";

export const meta = titlePage<{ list: ListView }>("List", ({ list }) => list.name);

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requirePageViewer(request);
  const url = new URL(request.url);
  const list = requireValue(await loadListPage(params.id ?? "", url, viewer, new Date()));
  const groups = url.searchParams.has("groups") ? await listGroups(params.id ?? "") : null;
  return dataWithFlash(request, { list, asking: url.searchParams.get("ask"), groups });
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requirePoster({ request, context });
  const form = await readPageForm({ request, context }, true);
  if (!form.ok) {
    const failure = toImportFailure(form.failure);
    return data({ failure, ...readInput(new FormData()) }, statusOf(failure));
  }
  const done = await handleBulkPost(form.value, params.id ?? "", viewer);
  if (!done.ok) return data({ failure: done.failure, ...readInput(form.value) }, statusOf(done.failure));
  return redirectWithFlash(nextAddress(form.value, params.id ?? "", request.url), done.value);
}

export default function List() {
  const { list, asking, groups, flash } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>() ?? null;
  return <ListPage list={list} asking={asking} groups={groups} flash={flash} refused={refused} />;
}
