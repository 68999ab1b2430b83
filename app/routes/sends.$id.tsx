import { data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { isAdmin } from "~/people/viewer.server";
import { quoteCancel } from "~/pieces/cancel/cancel-mail.server";
import { loadPieceDetails, type PieceDetails } from "~/pieces/page/load-details.server";
import { PiecePage } from "~/pieces/page/piece-page";
import { handlePiecePost } from "~/pieces/page/piece-post.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { requireValue, statusOf } from "~/platform/http/replies.server";
import { describeErasure } from "~/privacy/erasures.server";
import { pageAction, pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage<{ details: PieceDetails }>("Piece", ({ details }) => details.title);

export const loader = pageLoader(async ({ request, viewer, id, query, now }) => {
  // First, because it may fetch and store a newer status, which the page then shows.
  const question = query.has("cancel") ? await quoteCancel(id) : null;
  const details = requireValue(await loadPieceDetails(id, now));
  const erased = details.isErased ? await describeErasure(`piece:${id}`, true) : null;
  return dataWithFlash(request, { details, question, erased, mayDecide: isAdmin(viewer) });
});

export const action = pageAction(async ({ viewer, id, form }) => {
  const done = await handlePiecePost(form, id, viewer);
  if (!done.ok) return data({ failure: done.failure }, statusOf(done.failure));
  return redirectWithFlash(`/sends/${id}`, done.value);
});

export default function Piece() {
  const failure = useActionData<typeof action>()?.failure ?? null;
  return <PiecePage {...useLoaderData<typeof loader>()} failure={failure} />;
}
