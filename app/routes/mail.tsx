import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import {
  type ClientActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  isRouteErrorResponse,
  useActionData,
  useLoaderData,
} from "@remix-run/react";
import { handleMailPost } from "~/mail/mail-post.server";
import { MailTab } from "~/mail/mail-tab";
import { loadMailView } from "~/mail/mail-view.server";
import { type BadAnswer, formatFetchFailure, formatPostFailure } from "~/mail/messages";
import { requirePageForm } from "~/people/check-request.server";
import { findViewer } from "~/people/viewer.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { UNKNOWN_FORM } from "~/platform/http/page-form.server";
import { replyFailure } from "~/platform/http/replies.server";

export const meta: MetaFunction = () => [{ title: "Mail Management · Mailroom" }];

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

/** A page that cannot reach the server keeps what it shows, and says so. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  try {
    return await serverLoader<typeof loader>();
  } catch (error) {
    if (error instanceof Response) throw error;
    const answer = findReply(error);
    return {
      unreachable: formatFetchFailure(answer === "unreadable" ? await fetchAgain(request.url) : answer),
    };
  }
}

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  try {
    return await serverAction<typeof action>();
  } catch (error) {
    if (error instanceof Response) throw error;
    return { notDone: formatPostFailure(String(form.get("intent")), findReply(error)) };
  }
}

/** The reply in an error that Remix threw; null where nothing replied. */
function findReply(error: unknown): BadAnswer | "unreadable" | null {
  if (isRouteErrorResponse(error)) {
    const { status, data: said } = error;
    return { status, text: typeof said === "string" ? said : JSON.stringify(said) };
  }
  return error instanceof TypeError ? null : "unreadable";
}

/** Remix hides a reply that is not in its own form, from a proxy in front of the server for example. */
async function fetchAgain(address: string): Promise<BadAnswer | null> {
  try {
    const reply = await fetch(address);
    return { status: reply.status, text: await reply.text() };
  } catch {
    return null;
  }
}

export default function Mail() {
  const loaded = useLoaderData<typeof loader | typeof clientLoader>();
  const acted = useActionData<typeof clientAction>();
  return <MailTab loaded={loaded} notDone={acted && "notDone" in acted ? acted.notDone : null} />;
}
