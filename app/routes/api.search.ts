import type { ActionFunctionArgs } from "@remix-run/node";
import { search } from "~/find/search.server";
import { requireJson } from "~/people/check-request.server";
import { replyJson } from "~/platform/http/replies.server";
import { parseRecord } from "~/platform/json-value";

/** The number of results of each kind while a person types. */
const LIMIT = 5;

/** Searches for the palette. The words are posted, so that no name is in an address. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { body } = await requireJson({ request, context });
  const { q } = parseRecord(body);
  const data = await search(typeof q === "string" ? q : "", LIMIT, new Date());
  return replyJson({ success: true, data });
}
