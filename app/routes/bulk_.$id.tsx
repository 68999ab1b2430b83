import { type ActionFunctionArgs, data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { handleBulkPost, nextAddress, readInput, toImportFailure } from "~/bulk/bulk-post.server";
import { listGroups } from "~/bulk/import/import-group.server";
import { ListPage } from "~/bulk/page/list-page";
import { type ListView, loadListPage } from "~/bulk/page/load-list-page.server";
import { refuseSignedOut } from "~/people/check-request.server";
import { findViewer } from "~/people/viewer.server";
import { readPageForm } from "~/platform/http/body.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { requireValue, statusOf } from "~/platform/http/replies.server";
import { pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage<{ list: ListView }>("List", ({ list }) => list.name);

export const loader = pageLoader(async ({ request, id, query, viewer, now }) => {
  const list = requireValue(await loadListPage(id, new URL(request.url), viewer, now));
  const groups = query.has("groups") ? await listGroups(id) : null;
  return dataWithFlash(request, { list, asking: query.get("ask"), groups });
});

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await findViewer(request);
  const form = await readPageForm({ request, context }, viewer !== null);
  if (!viewer) throw refuseSignedOut(request, requireValue(form));
  if (!form.ok) {
    const failure = toImportFailure(form.failure);
    return data({ failure, ...readInput(new FormData()) }, statusOf(failure));
  }
  const done = await handleBulkPost(form.value, params.id ?? "", viewer);
  if (!done.ok) return data({ failure: done.failure, ...readInput(form.value) }, statusOf(done.failure));
  const flash = { tone: "ok", message: done.value } as const;
  return redirectWithFlash(nextAddress(form.value, params.id ?? "", request.url), flash);
}

export default function List() {
  return <ListPage {...useLoaderData<typeof loader>()} refused={useActionData<typeof action>() ?? null} />;
}
