import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { adjustCredits, parseAdjustment } from "~/credits/adjustments/adjustment.server";
import { listCreditUsers, loadCreditUser, toWireUser } from "~/credits/credit-users.server";
import { requireKeyedJson } from "~/people/check-request.server";
import { isUserId } from "~/people/stored-user.schema.server";
import { NO_SUCH_USER } from "~/people/stored-user.server";
import { requireViewer } from "~/people/viewer.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";

/** Lists the credits of all users, or of `?user_id=`. Creates the viewer's own record on first use. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const viewer = await requireViewer(request, context.scope);
  const userId = new URL(request.url).searchParams.get("user_id");
  if (userId === null) {
    return replyJson({ success: true, data: requireValue(await listCreditUsers(viewer)).map(toWireUser) });
  }
  const user = requireValue(isUserId(userId) ? await loadCreditUser(viewer, userId) : NO_SUCH_USER);
  return replyJson({ success: true, data: [toWireUser(user)] });
}

export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { viewer, body } = await requireKeyedJson({ request, context });
  const adjustment = requireValue(parseAdjustment(body));
  const { message, user } = requireValue(await adjustCredits(adjustment, viewer));
  return replyJson({ success: true, message, data: toWireUser(user) });
}
