import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requirePageViewer } from "~/people/viewer.server";
import { redirectWithFlash } from "~/platform/http/flash.server";
import { readPageForm } from "~/platform/http/page-form.server";
import { replyFailure, statusOf } from "~/platform/http/replies.server";
import { PersonPage } from "~/privacy/person-page";
import { handlePersonPost, loadPersonView } from "~/privacy/person-page.server";

export const meta = () => [{ title: "Personal data · Mailroom" }];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  const view = await loadPersonView(params.id ?? "");
  if (!view.ok) throw replyFailure(view.failure);
  return view.value;
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requirePageViewer(request);
  const form = await readPageForm({ request, context }, true);
  if (!form.ok) throw replyFailure(form.failure);
  const done = await handlePersonPost(form.value, params.id ?? "", viewer);
  if (!done.ok) return data({ failure: done.failure }, statusOf(done.failure));
  return redirectWithFlash("/mail?type=recipient", { tone: "ok", message: done.value });
}

export default function PersonRoute() {
  const failed = useActionData<typeof action>();
  return <PersonPage view={useLoaderData<typeof loader>()} failure={failed?.failure ?? null} />;
}
