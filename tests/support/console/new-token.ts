import type { TokenScope } from "~/platform/http/token-scopes";
import { makeSessionCookie } from "./session-cookie";

/** Posts a form of the Profile page as a browser without JavaScript does; returns the page. */
export async function postProfile(
  origin: string,
  who: string,
  fields: Record<string, string> | [string, string][],
): Promise<string> {
  const reply = await fetch(`${origin}/profile`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { Cookie: await makeSessionCookie(who), "Content-Type": "application/x-www-form-urlencoded" },
  });
  return reply.text();
}

/** Creates a token on the Profile page; returns its text. */
export async function newToken(
  origin: string,
  who: string,
  { name, scopes, daily = "" }: { name: string; scopes: TokenScope[]; daily?: string },
): Promise<string> {
  const page = await postProfile(origin, who, [
    ["intent", "create_token"],
    ["name", name],
    ...scopes.map((scope): [string, string] => ["scope", scope]),
    ["days", "7"],
    ["daily_credits", daily],
  ]);
  const text = /mailroom_[A-Za-z0-9]{46}/.exec(page)?.[0];
  if (!text) throw new Error(page.slice(0, 2_000));
  return text;
}
