import { pingDatabase } from "~/platform/database/database.server";
import { replyJson } from "~/platform/http/replies.server";
import { isStopping } from "~/platform/stopping.server";

/** Answers 200 when the process takes requests and its database answers. Open to any monitor, and silent about details. */
export async function loader(): Promise<Response> {
  if (isStopping()) return replyJson({ status: "stopping" }, 503);
  const ping = await pingDatabase();
  if (ping.ok) return replyJson({ status: "ready", database: "up" });
  const missing = ping.failure.code === "not_configured";
  return replyJson(
    missing ? { status: "ready", database: "not configured" } : { status: "not ready", database: "down" },
    missing ? 200 : 503,
  );
}
