import { replyJson } from "~/platform/http/replies.server";

/** The process is up; open to whoever watches it. */
export function loader(): Response {
  return replyJson({ status: "up" });
}
