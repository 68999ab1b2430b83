import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { isAdmin, requirePageViewer } from "~/people/viewer.server";
import { quoteCancel } from "~/pieces/cancel/cancel-mail.server";
import { loadPieceDetails, type PieceDetails } from "~/pieces/page/load-details.server";
import { PiecePage } from "~/pieces/page/piece-page";
import { handlePiecePost } from "~/pieces/page/piece-post.server";
import { readPageForm } from "~/platform/http/body.server";
import { dataWithFlash, redirectWithFlash } from "~/platform/http/flash.server";
import { requireValue, statusOf } from "~/platform/http/replies.server";
import { describeErasure } from "~/privacy/erasures.server";

export const meta = titlePage<{ details: PieceDetails }>("Piece", ({ details }) => details.title);

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requirePageViewer(request);
  const id = params.id ?? "";
  // First, because it may fetch and store a newer status, which the page then shows.
  const question = new URL(request.url).searchParams.has("cancel") ? await quoteCancel(id) : null;
  const details = requireValue(await loadPieceDetails(id, new Date()));
  const erased = details.isErased ? await describeErasure(`piece:${id}`, true) : null;
  return dataWithFlash(request, { details, question, erased, mayDecide: isAdmin(viewer) });
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requirePageViewer(request);
  const form = requireValue(await readPageForm({ request, context }, true));
  const done = await handlePiecePost(form, params.id ?? "", viewer);
  if (!done.ok) return data({ failure: done.failure }, statusOf(done.failure));
  return redirectWithFlash(`/sends/${params.id}`, done.value);
}

export default function Piece() {
  const { details, question, erased, mayDecide, flash } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>();
  return (
    <PiecePage
      details={details}
      question={question}
      erased={erased}
      mayDecide={mayDecide}
      flash={flash}
      failure={failed?.failure ?? null}
    />
  );
}
