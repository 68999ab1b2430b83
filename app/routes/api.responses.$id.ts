import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { replyJson, replyJsonText, requireValue } from "~/platform/http/replies.server";
import { deleteResponse } from "~/responses/change-response.server";
import { serializeStoredResponse } from "~/responses/response-row.server";
import { loadResponseRow } from "~/responses/search/find-response.server";

export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request, context.scope);
  const found = requireValue(await loadResponseRow(params.id ?? ""));
  return replyJsonText(`{"success":true,"data":${serializeStoredResponse(found)}}`);
}

export async function action({ request, params, context }: ActionFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request, context.scope);
  requireValue(await deleteResponse(params.id ?? "", viewer));
  return replyJson({ success: true });
}
