import { buildOpenApi } from "~/api/openapi.server";
import { replyJson } from "~/platform/http/replies.server";

/** Serves the OpenAPI document to anyone, because it holds no data. */
export function loader(): Response {
  return replyJson(buildOpenApi());
}
