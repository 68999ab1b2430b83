import { replyPlainFailure } from "~/platform/http/replies.server";
import { loadStoredAnswer } from "~/responses/search/find-response.server";
import { pageLoader } from "~/route-handlers.server";

/** Downloads the provider's answer unchanged. */
export const loader = pageLoader(async ({ id }) => {
  const found = await loadStoredAnswer(id);
  if (!found.ok) return replyPlainFailure(found.failure);
  const { bytes, type, name } = found.value;
  return new Response(bytes, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
});
