import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { replyFile, requireValue } from "~/platform/http/replies.server";
import { CSV, streamResponses } from "~/responses/search/export-responses.server";
import { parseResponseQuery } from "~/responses/search/filter.schema.server";

/** Downloads all rows of the list's filter. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request);
  const query = requireValue(parseResponseQuery(new URL(request.url).searchParams));
  const file = await streamResponses(query.filter, CSV);
  return replyFile(file, "text/csv", "stored-responses.csv");
}
