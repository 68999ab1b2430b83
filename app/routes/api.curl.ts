import type { ActionFunctionArgs } from "@remix-run/node";
import { listCurlNotes, openCurl, parseCurlRequest } from "~/builder/draft/open-curl.server";
import { requireJson } from "~/people/check-request.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";

/** Reads a curl command for the Builder. Nothing is sent or stored. A POST, because an address would be logged. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { body } = await requireJson({ request, context });
  const asked = requireValue(parseCurlRequest(body));
  const { opened: draft, report } = requireValue(openCurl(asked.command, asked.base));
  return replyJson({ success: true, opened: draft, notes: listCurlNotes(report) });
}
