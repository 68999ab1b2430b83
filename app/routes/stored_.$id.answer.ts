import { replyDownload, replyPlainFailure } from "~/platform/http/replies.server";
import { loadStoredAnswer } from "~/responses/search/find-response.server";
import { pageLoader } from "~/route-handlers.server";

/** Downloads the provider's answer unchanged. */
export const loader = pageLoader(async ({ id }) => {
  const found = await loadStoredAnswer(id);
  if (!found.ok) return replyPlainFailure(found.failure);
  const { bytes, type, name } = found.value;
  return replyDownload(bytes, type, name);
});
