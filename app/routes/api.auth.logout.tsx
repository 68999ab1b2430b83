import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { LogoutCard } from "~/people/logout-card";
import { signOut } from "~/people/sign-out.server";
import { isSameOrigin } from "~/platform/http/origin.server";

export const meta: MetaFunction = () => [{ title: "Log out · Mailroom" }];

/** The link Log out ends the session. A link on another site, also of the same domain, only asks whether to. */
export async function loader({ request }: LoaderFunctionArgs) {
  if (!isSameOrigin(request.headers)) return null;
  return redirect("/", { headers: { "Set-Cookie": await signOut(request) } });
}

export async function action({ request }: ActionFunctionArgs) {
  return redirect("/", { headers: { "Set-Cookie": await signOut(request) } });
}

export default function Logout() {
  return <LogoutCard />;
}
