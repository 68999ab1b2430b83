import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { handleMailPost } from "~/mail/mail-post.server";
import { MailTab } from "~/mail/mail-tab";
import { loadMailView } from "~/mail/mail-view.server";
import { requirePageForm } from "~/people/check-request.server";
import { findViewer } from "~/people/viewer.server";
import { UNKNOWN_FORM } from "~/platform/http/body.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { replyFailure } from "~/platform/http/replies.server";

export const meta = titlePage("Mail Management");

export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await findViewer(request);
  const view = await loadMailView(request, viewer);
  return dataWithFlash(request, { view });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { viewer, form } = await requirePageForm({ request, context });
  const flash = await handleMailPost(form, viewer);
  if (!flash) throw replyFailure(UNKNOWN_FORM);
  const { search } = new URL(request.url);
  return redirectWithFlash(`/mail${search}`, flash);
}

export default function Mail() {
  const { view, flash } = useLoaderData<typeof loader>();
  return <MailTab view={view} flash={flash} />;
}
