import type { LoaderFunctionArgs } from "@remix-run/node";
import { requirePageViewer } from "~/people/viewer.server";
import { replyPlainFailure } from "~/platform/http/replies.server";
import { loadStoredAnswer } from "~/responses/search/find-response.server";

/** Downloads the provider's answer unchanged. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<Response> {
  await requirePageViewer(request);
  const found = await loadStoredAnswer(params.id ?? "");
  if (!found.ok) return replyPlainFailure(found.failure);
  const { bytes, type, name } = found.value;
  return new Response(bytes, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}
