import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { requirePageViewer } from "~/people/viewer.server";
import { readPageForm } from "~/platform/http/body.server";
import { requireValue, statusOf } from "~/platform/http/replies.server";
import { ErasedPage, PersonPage } from "~/privacy/person-page";
import { handlePersonPost, loadPersonView } from "~/privacy/person-page.server";

export const meta = titlePage("Personal data");

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  return requireValue(await loadPersonView(params.id ?? "", new Date()));
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requirePageViewer(request);
  const form = requireValue(await readPageForm({ request, context }, true));
  const done = await handlePersonPost(form, params.id ?? "", viewer);
  if (!done.ok) return data({ failure: done.failure }, statusOf(done.failure));
  return redirect(`/recipients/${params.id}`);
}

export default function PersonRoute() {
  const { person, erased } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>();
  if (person) return <PersonPage view={person} failure={failed?.failure ?? null} />;
  return erased ? <ErasedPage view={erased} /> : null;
}
