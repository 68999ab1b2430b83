import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { forcesJson } from "~/outside/mail-provider/call/address.server";
import { env } from "~/platform/env.server";
import { readPageForm } from "~/platform/http/body.server";
import { type Preferences, serializePreferences } from "~/platform/http/preferences.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { safeReturnPath } from "~/platform/http/security.server";

/** Stores choices in this browser's cookie, with or without a session. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const form = requireValue(await readPageForm({ request, context }, false));
  const text = (name: string) => String(form.get(name) ?? "").slice(0, 200);
  const changes: Preferences = {};
  if (form.has("userId")) changes.userId = text("userId");
  const base = env().baseUrls.find(({ label }) => label === text("base"));
  if (base) Object.assign(changes, { base: base.label, appendJson: forcesJson(base) });
  const theme = text("theme");
  if (theme === "light" || theme === "dark") changes.theme = theme;
  const shortcuts = text("shortcuts");
  if (shortcuts === "on" || shortcuts === "off") changes.shortcuts = shortcuts;
  if (text("welcome") === "closed") changes.welcomed = true;
  const headers = { "Set-Cookie": await serializePreferences(request, changes) };
  return form.has("returnTo")
    ? redirect(safeReturnPath(text("returnTo")), { headers })
    : replyJson({ success: true }, 200, headers);
}
