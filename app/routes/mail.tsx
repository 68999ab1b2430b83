import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { handleMailPost } from "~/mail/mail-post.server";
import { MailTab } from "~/mail/mail-tab";
import { loadMailView } from "~/mail/mail-view.server";
import { findViewer } from "~/people/viewer.server";
import { UNKNOWN_FORM } from "~/platform/http/body.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { replyFailure } from "~/platform/http/replies.server";
import { pageAction } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage("Mail Management");

export async function loader({ request }: LoaderFunctionArgs) {
  return dataWithFlash(request, { view: await loadMailView(request, await findViewer(request)) });
}

export const action = pageAction(async ({ request, form, viewer }) => {
  const flash = await handleMailPost(form, viewer);
  if (!flash) throw replyFailure(UNKNOWN_FORM);
  return redirectWithFlash(`/mail${new URL(request.url).search}`, flash);
});

export default function Mail() {
  return <MailTab {...useLoaderData<typeof loader>()} />;
}
