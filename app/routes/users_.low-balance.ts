import { redirect } from "@remix-run/node";
import { closeBalanceNotice } from "~/credits/credit-users.server";
import { requireValue } from "~/platform/http/replies.server";
import { safeReturnPath } from "~/platform/http/security.server";
import { pageAction } from "~/route-handlers.server";

/** Closes the notice of a low balance and redirects to its page. */
export const action = pageAction(async ({ form }) => {
  requireValue(await closeBalanceNotice(String(form.get("user_id") ?? "")));
  return redirect(safeReturnPath(String(form.get("returnTo") ?? "/")), 303);
});
