import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { closeBalanceNotice } from "~/credits/credit-users.server";
import { receivePageForm } from "~/people/check-request.server";
import { SIGNED_OUT } from "~/people/messages";
import { redirectWithFlash } from "~/platform/http/flash.server";
import { requireValue } from "~/platform/http/replies.server";
import { safeReturnPath } from "~/platform/http/security.server";

/** Closes the notice of a low balance and redirects to its page, also when no one is signed in: this address has no page. */
export async function action(posted: ActionFunctionArgs): Promise<Response> {
  const { viewer, form } = await receivePageForm(posted);
  const page = safeReturnPath(String(form.get("returnTo") ?? "/"));
  if (!viewer) return redirectWithFlash(page, { tone: "bad", message: SIGNED_OUT });
  requireValue(await closeBalanceNotice(String(form.get("user_id") ?? "")));
  return redirect(page, 303);
}
