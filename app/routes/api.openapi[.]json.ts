import { buildOpenApi } from "~/api/openapi.server";
import { replyJson } from "~/platform/http/replies.server";

/** The description of the API for programs. It tells nothing that is not in this code, so anyone may read it. */
export function loader(): Response {
  return replyJson(buildOpenApi());
}
