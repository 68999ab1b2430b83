import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { replyFile, requireValue } from "~/platform/http/replies.server";
import { NDJSON, streamResponses } from "~/responses/search/export-responses.server";
import { parseResponseQuery } from "~/responses/search/filter.schema.server";

/** Downloads all rows with their bodies, one JSON object a line; `bodies=0` omits the bodies. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request);
  const query = requireValue(parseResponseQuery(new URL(request.url).searchParams));
  const file = await streamResponses(query.filter, NDJSON, query.bodies);
  return replyFile(file, "application/x-ndjson", "stored-responses.ndjson");
}
