import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { parseAdjustment } from "~/credits/adjustments/adjustment.schema.server";
import { adjustCredits } from "~/credits/adjustments/adjustment.server";
import { toWireUser } from "~/credits/credit-user";
import { listCreditUsers, loadCreditUser } from "~/credits/credit-users.server";
import { requireKeyedJson } from "~/people/check-request.server";
import { isUserId } from "~/people/stored-user.schema.server";
import { NO_SUCH_USER } from "~/people/stored-user.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";

/** All users' credits; with `?user_id=` one user's. The viewer's own record is made at the first need. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request, context.scope);
  const userId = new URL(request.url).searchParams.get("user_id");
  if (userId === null) {
    const users = await listCreditUsers(viewer);
    return users.ok
      ? replyJson({ success: true, data: users.value.map(toWireUser) })
      : replyFailure(users.failure);
  }
  const user = isUserId(userId) ? await loadCreditUser(viewer, userId) : NO_SUCH_USER;
  return user.ok ? replyJson({ success: true, data: [toWireUser(user.value)] }) : replyFailure(user.failure);
}

/** Adds or deducts credits. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { viewer, body } = await requireKeyedJson({ request, context });
  const adjustment = parseAdjustment(body);
  if (!adjustment.ok) return replyFailure(adjustment.failure);
  const adjusted = await adjustCredits(adjustment.value, viewer);
  if (!adjusted.ok) return replyFailure(adjusted.failure);
  const { message, user } = adjusted.value;
  return replyJson({ success: true, message, data: toWireUser(user) });
}
