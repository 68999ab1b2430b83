import type { ActionFunctionArgs } from "@remix-run/node";
import { listCurlNotes, openCurl, parseCurlRequest } from "~/builder/draft/open-curl.server";
import { requireJson } from "~/people/check-request.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

/** Reads a curl command for the Builder. Nothing is sent or stored. A POST, because an address would be logged. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { body } = await requireJson({ request, context });
  const asked = parseCurlRequest(body);
  if (!asked.ok) return replyFailure(asked.failure);
  const opened = openCurl(asked.value.command, asked.value.base);
  if (!opened.ok) return replyFailure(opened.failure);
  const { opened: draft, report } = opened.value;
  return replyJson({ success: true, opened: draft, notes: listCurlNotes(report) });
}
