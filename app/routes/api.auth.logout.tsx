import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { titlePage } from "~/alarms/alarms-view";
import { LogoutCard } from "~/people/logout-card";
import { signOut } from "~/people/revoked-sessions.server";
import { isSameOrigin } from "~/platform/http/origin.server";

export const meta = titlePage("Log out");

/**
 * Also deletes the drafts and the history that the browser stores. Cookies stay, because the next log-in and preferences
 * need them; the cache needs no clearing, because answers with data are never cached.
 */
async function logOut(request: Request): Promise<Response> {
  const headers = { "Set-Cookie": await signOut(request), "Clear-Site-Data": '"storage"' };
  return redirect("/", { headers });
}

/** Ends the session for the link Log out. A link on another site, also of the same domain, only shows the question. */
export async function loader({ request }: LoaderFunctionArgs) {
  if (!isSameOrigin(request.headers)) return null;
  return logOut(request);
}

export async function action({ request }: ActionFunctionArgs) {
  return logOut(request);
}

export default function Logout() {
  return <LogoutCard />;
}
