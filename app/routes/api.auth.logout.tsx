import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { signOut } from "~/people/revoked-sessions.server";
import { isSameOrigin } from "~/platform/http/security.server";
import { noteRequest } from "~/platform/log.server";
import { titlePage } from "~/ui/page-title";

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
  if (isSameOrigin(request.headers)) return logOut(request);
  noteRequest({ intent: "ask" });
  return null;
}

export async function action({ request }: ActionFunctionArgs) {
  return logOut(request);
}

/** Asks a person whom another site sent to this address. */
export default function Logout() {
  return (
    <section aria-labelledby="logout-title" className="mx-auto w-full max-w-[1180px] px-4 py-8">
      <h1 id="logout-title" className="text-title">
        Log out?
      </h1>
      <p className="mt-2">Another site brought you here. You are still logged in.</p>
      <form method="post" action="/api/auth/logout" className="mt-4 flex items-center gap-4">
        <button type="submit" className="button button-primary">
          Log out
        </button>
        <a href="/" className="link">
          Stay logged in
        </a>
      </form>
    </section>
  );
}
