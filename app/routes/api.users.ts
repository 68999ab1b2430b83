import { listUserOptions } from "~/people/stored-user.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { jsonRoute } from "~/route-handlers.server";

export const loader = jsonRoute(async ({ viewer }) =>
  replyJson({ success: true, users: requireValue(await listUserOptions(viewer)) }),
);
