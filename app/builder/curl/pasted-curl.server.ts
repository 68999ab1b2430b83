import { env } from "~/platform/env.server";
import { type BuilderPost, parseBuilderPost } from "../builder-post.server";
import type { Posted } from "../builder-view";
import { findChosenPreset, selectTemplate, toBaseUrlView } from "../builder-view.server";
import { openDraft, selectCall } from "../draft";
import { listCurlNotes } from "./curl-notes.server";
import { openCurl } from "./open-curl.server";

/**
 * The page for a curl command that was posted without JavaScript. A command of another preset is to be posted to that
 * preset's address, so that the page is loaded for it.
 */
export async function parsePastedCurl(
  request: Request,
  form: FormData,
): Promise<{ postTo: string } | { post: BuilderPost; curl: Posted["curl"] }> {
  const command = String(form.get("curl") ?? "");
  const post = await parseBuilderPost(request, new FormData());
  const chosen = findChosenPreset(new URL(request.url).searchParams);
  const template = selectTemplate(chosen.preset, chosen.documented);
  const opened = openCurl(command, post.base);
  if (!opened.ok) {
    const problem = opened.failure.message;
    return { post: { ...post, template, draft: openDraft(template) }, curl: { problem, command } };
  }
  const { presetId, documented, baseLabel, draft } = opened.value.opened;
  if (presetId !== post.presetId || documented !== post.documented) {
    return { postTo: `/?index&preset=${presetId}${documented ? "&call=documented" : ""}` };
  }
  const base = env().baseUrls.find(({ label }) => label === baseLabel);
  return {
    post: {
      ...post,
      template: selectCall(draft, template),
      draft,
      base: base ? toBaseUrlView(base) : post.base,
    },
    curl: { notes: listCurlNotes(opened.value.report) },
  };
}
