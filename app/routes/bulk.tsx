import { data } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { listTeamTemplates } from "~/builder/draft/team-template.server";
import { loadLists } from "~/bulk/list-record.server";
import { ListsPage } from "~/bulk/page/lists-page";
import { withDatabase } from "~/platform/database/database.server";
import { dataWithFlash } from "~/platform/http/flash.server";
import { statusOf } from "~/platform/http/replies.server";
import { pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("Lists");

export const loader = pageLoader(async ({ request, now }) => {
  const [lists, templates] = await Promise.all([loadLists(now), withDatabase(listTeamTemplates)]);
  if (!lists.ok) {
    return data({ lists: [], templates: [], failure: lists.failure, flash: null }, statusOf(lists.failure));
  }
  const found = templates.ok ? templates.value : [];
  return dataWithFlash(request, { lists: lists.value, templates: found, failure: null });
});

export default function Lists() {
  return <ListsPage {...useLoaderData<typeof loader>()} />;
}
