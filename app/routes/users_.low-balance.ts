import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { closeBalanceNotice } from "~/credits/credit-users.server";
import { requirePageForm } from "~/people/check-request.server";
import { requireValue } from "~/platform/http/replies.server";
import { safeReturnPath } from "~/platform/http/security.server";

/** Closes the notice of a low balance and redirects to its page. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { form } = await requirePageForm({ request, context });
  requireValue(await closeBalanceNotice(String(form.get("user_id") ?? "")));
  return redirect(safeReturnPath(String(form.get("returnTo") ?? "/")), 303);
}
