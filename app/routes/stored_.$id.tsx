import { useLoaderData } from "@remix-run/react";
import { dataWithFlash } from "~/platform/http/flash.server";
import { requireValue } from "~/platform/http/replies.server";
import { describeErasure } from "~/privacy/erasures.server";
import { ResponsePage } from "~/responses/tab/response-page";
import {
  loadCancelQuestion,
  loadResponsePage,
  type ResponsePageView,
} from "~/responses/tab/stored-view.server";
import { pageLoader } from "~/route-handlers.server";
import { titlePage } from "~/ui/page-title";

export const meta = titlePage<{ view: ResponsePageView }>(
  "Stored response",
  ({ view: { row } }) => `${row.method} ${row.path}`,
);

export const loader = pageLoader(async ({ request, id, query }) => {
  const view = requireValue(await loadResponsePage(id));
  const { row, erasedPart } = view;
  const question = query.has("cancel") ? await loadCancelQuestion(row.id) : null;
  const erased = erasedPart && (await describeErasure(`response:${row.id}`, erasedPart === "all"));
  return dataWithFlash(request, { view, question, erased });
});

export default function StoredResponsePage() {
  return <ResponsePage {...useLoaderData<typeof loader>()} />;
}
