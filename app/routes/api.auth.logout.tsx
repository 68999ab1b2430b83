import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { LogoutCard } from "~/people/logout-card";
import { signOut } from "~/people/sign-out.server";
import { isSameOrigin } from "~/platform/http/origin.server";
import { replyFailure } from "~/platform/http/replies.server";

export const meta: MetaFunction = () => [{ title: "Log out · Mailroom" }];

/** A link (spec §2) logs out; one on another site only leads to the question (security.md). */
export async function loader({ request }: LoaderFunctionArgs) {
  if (request.headers.get("Sec-Fetch-Site") === "cross-site") return null;
  return redirect("/", { headers: { "Set-Cookie": await signOut(request) } });
}

export async function action({ request }: ActionFunctionArgs) {
  if (!isSameOrigin(request)) {
    throw replyFailure({
      code: "forbidden",
      message:
        "This request came from another site, so you are still logged in. Log out from the console itself.",
    });
  }
  return redirect("/", { headers: { "Set-Cookie": await signOut(request) } });
}

export default function Logout() {
  return <LogoutCard />;
}
