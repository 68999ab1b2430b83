import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { replyFailure, replyJson, replyJsonText, requireValue } from "~/platform/http/replies.server";
import { deleteResponse } from "~/responses/change-response.server";
import { serializeStoredResponse } from "~/responses/response-row.server";
import { findResponseRow } from "~/responses/search/list-responses.server";

export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request, context.scope);
  const found = requireValue(await findResponseRow(params.id ?? ""));
  if (found) return replyJsonText(`{"success":true,"data":${serializeStoredResponse(found)}}`);
  return replyFailure({ code: "not_found", message: "There is no stored response with this id." });
}

export async function action({ request, params, context }: ActionFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request, context.scope);
  requireValue(await deleteResponse(params.id ?? "", viewer));
  return replyJson({ success: true });
}
