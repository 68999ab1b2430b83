import { data, redirect } from "@remix-run/node";
import { z } from "zod";
import { noteRequest } from "../request-id.server";
import { createSignedCookie } from "./cookies.server";

const SHOWN_WITHIN_SECONDS = 60;
/** What a browser keeps of a cookie, less what the signature and the attributes take. */
const MAX_CHARS = 2_000;

const flash = z.object({ tone: z.enum(["ok", "bad", "info"]), message: z.string() });

/** What a page says once, after the redirect that ends a post. */
export type Flash = z.infer<typeof flash>;

/** The `Set-Cookie` that carries a message over a redirect. */
export async function serializeFlash({ tone, message }: Flash): Promise<string> {
  return openCookie().serialize({ tone, message: message.slice(0, MAX_CHARS) });
}

/** The redirect after a post, to a page that says the message once. */
export async function redirectWithFlash(to: string, flash: Flash): Promise<Response> {
  if (flash.tone === "bad") noteRequest({ failed: true });
  return redirect(to, { status: 303, headers: { "Set-Cookie": await serializeFlash(flash) } });
}

/** What a page's loader gives, with the message to say on it: `flash`, null for none. */
export async function dataWithFlash<View extends object>(request: Request, view: View) {
  const said = await parseFlash(request);
  return data(
    { ...view, flash: said?.flash ?? null },
    said ? { headers: { "Set-Cookie": said.setCookie } } : undefined,
  );
}

/** The message to say on this page, and the `Set-Cookie` that keeps it from being said again; null for none. */
export async function parseFlash(request: Request): Promise<{ flash: Flash; setCookie: string } | null> {
  const cookie = openCookie();
  const parsed = flash.safeParse(await cookie.parse(request.headers.get("Cookie")));
  return parsed.success ? { flash: parsed.data, setCookie: await cookie.serialize("", { maxAge: 0 }) } : null;
}

function openCookie() {
  return createSignedCookie("mailroom_flash", { path: "/", maxAgeSeconds: SHOWN_WITHIN_SECONDS });
}
