import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findViewer } from "~/people/viewer.server";
import { UNKNOWN_FORM } from "~/platform/http/body.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { replyFailure } from "~/platform/http/replies.server";
import { handleStoredPost } from "~/responses/tab/stored-post.server";
import { StoredTab } from "~/responses/tab/stored-tab";
import { findCleanAddress, loadStoredView } from "~/responses/tab/stored-view.server";
import { pageAction } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("Stored Responses");

export async function loader({ request }: LoaderFunctionArgs) {
  const clean = findCleanAddress(request);
  if (clean) throw redirect(clean);
  const view = await loadStoredView(request, await findViewer(request));
  return dataWithFlash(request, { view }, view.content?.problem ? 400 : 200);
}

export const action = pageAction(async ({ form, viewer }) => {
  const post = await handleStoredPost(form, viewer);
  if (!post) throw replyFailure(UNKNOWN_FORM);
  return redirectWithFlash(post.goTo, post.flash);
});

export default function Stored() {
  return <StoredTab {...useLoaderData<typeof loader>()} />;
}
