import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { requireKeyedJson } from "~/people/check-request.server";
import { requireViewer } from "~/people/viewer.server";
import { replyJson, replyJsonText, requireValue } from "~/platform/http/replies.server";
import { serializeResponsePage } from "~/responses/response-row.server";
import { saveResponse } from "~/responses/save/save-response.server";
import { parseResponseQuery } from "~/responses/search/filter.schema.server";
import { listResponses } from "~/responses/search/list-responses.server";

export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request, context.scope);
  const query = requireValue(parseResponseQuery(new URL(request.url).searchParams));
  return replyJsonText(serializeResponsePage(requireValue(await listResponses(query))));
}

export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { viewer, body } = await requireKeyedJson({ request, context });
  return replyJson({ success: true, data: requireValue(await saveResponse(body, viewer)) });
}
