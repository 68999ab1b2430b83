import type { ActionFunctionArgs } from "@remix-run/node";
import { listCurlNotes, openCurl, parseCurlRequest } from "~/builder/draft/open-curl.server";
import { requireJson } from "~/people/check-request.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";

/** Parses a curl command for the Builder. It is posted, because addresses are logged. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { body } = await requireJson({ request, context });
  const { command, base } = requireValue(parseCurlRequest(body));
  const { opened, report } = requireValue(openCurl(command, base));
  return replyJson({ success: true, opened, notes: listCurlNotes(report) });
}
