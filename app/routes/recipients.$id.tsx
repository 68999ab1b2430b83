import { data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireValue, statusOf } from "~/platform/http/replies.server";
import { ErasedPage, PersonPage } from "~/privacy/person-page";
import { handlePersonPost, loadPersonView } from "~/privacy/person-page.server";
import { pageAction, pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("Personal data");

export const loader = pageLoader(async ({ id, now }) => requireValue(await loadPersonView(id, now)));

export const action = pageAction(async ({ id, viewer, form }) => {
  const done = await handlePersonPost(form, id, viewer);
  if (done.ok) return redirect(`/recipients/${id}`);
  return data({ failure: done.failure, ticked: form.getAll("match").map(String) }, statusOf(done.failure));
});

export default function PersonRoute() {
  const { person, erased } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>();
  if (person)
    return <PersonPage view={person} failure={failed?.failure ?? null} ticked={failed?.ticked ?? []} />;
  return erased ? <ErasedPage view={erased} /> : null;
}
