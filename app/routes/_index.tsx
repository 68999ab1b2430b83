import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type Answer, readAnswer } from "~/builder/answer";
import { Builder, type Posted } from "~/builder/builder";
import { readBuilderPost } from "~/builder/builder-post.server";
import { loadBuilderView } from "~/builder/builder-view.server";
import { findViewer, requireViewer } from "~/people/viewer.server";
import { isSameOrigin } from "~/platform/origin.server";
import { readPageForm } from "~/platform/page-form.server";
import { savePreferences } from "~/platform/preferences.server";
import { replyFailure } from "~/platform/replies.server";
import { sendRequest } from "~/sending/send.server";

const TABS = ["stored", "users", "mail"];

export const meta: MetaFunction = () => [{ title: "API Builder · Mailroom" }];

export async function loader({ request }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const tab = url.searchParams.get("tab");
  if (tab && TABS.includes(tab)) {
    url.searchParams.delete("tab");
    throw redirect(`/${tab}${url.search}`);
  }
  return loadBuilderView(request, await findViewer(request));
}

export async function action({ request }: ActionFunctionArgs) {
  if (!isSameOrigin(request)) {
    throw replyFailure({ code: "forbidden", message: "This came from another site. Nothing was sent." });
  }
  const viewer = await requireViewer(request);
  const form = await readPageForm(request);
  if (!form.ok) throw replyFailure(form.failure);
  const post = await readBuilderPost(request, form.value);
  let answer: Answer | null = null;
  if (post.proxyRequest) {
    const reply = await sendRequest(post.proxyRequest, viewer);
    answer = reply.ok
      ? readAnswer(reply.value.httpStatus, reply.value.jsonText)
      : { kind: "failed", message: reply.failure.message, response: null };
  }
  const { draft, draftKey, bodyMark, problems } = post;
  const posted: Posted = { draft, draftKey, bodyMark, problems, answer };
  const chosen = { base: post.base.label, ...(post.userId ? { userId: post.userId } : {}) };
  return data(
    { ...posted, base: post.base, userId: post.userId },
    {
      headers: {
        "Set-Cookie": await savePreferences(request, { ...chosen, appendJson: post.base.appendJson }),
      },
    },
  );
}

export default function BuilderTab() {
  const view = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  return posted ? (
    <Builder view={{ ...view, base: posted.base, userId: posted.userId ?? view.userId }} posted={posted} />
  ) : (
    <Builder view={view} posted={null} />
  );
}
