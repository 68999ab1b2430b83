import { adjustCredits, parseAdjustment } from "~/credits/adjustments/adjustment.server";
import { listCreditUsers, loadCreditUser, toWireUser } from "~/credits/credit-users.server";
import { isUserId } from "~/people/stored-user.schema.server";
import { NO_SUCH_USER } from "~/people/stored-user.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { succeed } from "~/platform/outcome";
import { jsonRoute, keyedBodyRoute } from "~/route-handlers.server";

/** Lists the credits of all users, or of `?user_id=`. Creates the viewer's own record on first use. */
export const loader = jsonRoute(async ({ viewer, query }) => {
  const userId = query.get("user_id");
  if (userId === null) return succeed(requireValue(await listCreditUsers(viewer)).map(toWireUser));
  const user = requireValue(isUserId(userId) ? await loadCreditUser(viewer, userId) : NO_SUCH_USER);
  return succeed([toWireUser(user)]);
});

export const action = keyedBodyRoute(async ({ viewer, body }) => {
  const adjustment = requireValue(parseAdjustment(body));
  const { message, user } = requireValue(await adjustCredits(adjustment, viewer));
  return replyJson({ success: true, message, data: toWireUser(user) });
});
