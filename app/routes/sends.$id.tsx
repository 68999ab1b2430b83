import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { isAdmin } from "~/people/admin.server";
import { requirePageViewer } from "~/people/viewer.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { readPageForm } from "~/platform/http/page-form.server";
import { replyFailure, statusOf } from "~/platform/http/replies.server";
import { loadStory } from "~/story/load-story.server";
import type { Story } from "~/story/story";
import { StoryPage } from "~/story/story-page";
import { handleStoryPost, loadCancelQuestion } from "~/story/story-post.server";

export function meta({ data: shown }: { data: { story: Story } | undefined }) {
  return [{ title: `${shown?.story.title ?? "Piece"} · Mailroom` }];
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requirePageViewer(request);
  const id = params.id ?? "";
  // First: it may ask the provider and store a newer status, which the page then shows.
  const question = new URL(request.url).searchParams.has("cancel") ? await loadCancelQuestion(id) : null;
  const story = await loadStory(id, new Date());
  if (!story.ok) throw replyFailure(story.failure);
  return dataWithFlash(request, { story: story.value, question, mayDecide: isAdmin(viewer) });
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requirePageViewer(request);
  const form = await readPageForm({ request, context }, true);
  if (!form.ok) throw replyFailure(form.failure);
  const done = await handleStoryPost(form.value, params.id ?? "", viewer);
  if (!done.ok) return data({ failure: done.failure }, statusOf(done.failure));
  return redirectWithFlash(`/sends/${params.id}`, done.value);
}

export default function Piece() {
  const { story, question, mayDecide, flash } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>();
  return (
    <StoryPage
      story={story}
      question={question}
      mayDecide={mayDecide}
      flash={flash}
      failure={failed?.failure ?? null}
    />
  );
}
