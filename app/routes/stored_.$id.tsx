import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { titlePage } from "~/alarms/alarms-view";
import { requirePageViewer } from "~/people/viewer.server";
import { dataWithFlash } from "~/platform/http/flash.server";
import { requireValue } from "~/platform/http/replies.server";
import { describeErasure } from "~/privacy/erasures.server";
import { ResponsePage } from "~/responses/tab/response-page";
import { askCancel, loadResponsePage, type ResponsePageView } from "~/responses/tab/stored-view.server";

export const meta = titlePage<{ view: ResponsePageView }>(
  "Stored response",
  ({ view: { row } }) => `${row.method} ${row.path}`,
);

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requirePageViewer(request);
  const view = requireValue(await loadResponsePage(params.id ?? ""));
  const question = new URL(request.url).searchParams.has("cancel") ? await askCancel(view.row.id) : null;
  const { row, erasedPart } = view;
  const erased = erasedPart && (await describeErasure(`response:${row.id}`, erasedPart === "all"));
  return dataWithFlash(request, { view, question, erased });
}

export default function StoredResponsePage() {
  return <ResponsePage {...useLoaderData<typeof loader>()} />;
}
