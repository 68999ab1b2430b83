import { replyJson } from "~/platform/http/replies.server";
import { waitForSaved } from "~/responses/save/save-in-background.server";
import { jsonRoute } from "~/route-handlers.server";

const LIMIT_MS = 2_500;

/** Waits until the answer that the Builder shows was saved automatically. */
export const loader = jsonRoute(async ({ id }) => replyJson({ saved: await waitForSaved(id, LIMIT_MS) }));
