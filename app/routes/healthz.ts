import { replyJson } from "~/platform/http/replies.server";

/** Answers any monitor while the process is up. */
export function loader(): Response {
  return replyJson({ status: "up" });
}
