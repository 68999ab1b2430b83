import { data, redirect } from "@remix-run/node";
import { z } from "zod";
import { noteRequest } from "../log.server";
import type { Outcome } from "../outcome";
import { createSignedCookie } from "./session.server";

const SHOWN_WITHIN_SECONDS = 60;
/** Browsers limit a cookie to 4,096 bytes, including its signature and attributes. */
const MAX_CHARS = 2_000;

const flash = z.object({ tone: z.enum(["ok", "bad", "info"]), message: z.string() });

/** A message shown once, after the redirect that ends a post. */
export type Flash = z.infer<typeof flash>;

/** Returns the `Set-Cookie` that carries a message over a redirect. */
export async function serializeFlash({ tone, message }: Flash): Promise<string> {
  return openCookie().serialize({ tone, message: message.slice(0, MAX_CHARS) });
}

/** Makes the message of a finished action: its sentence, or that of its failure. */
export function toFlash(done: Outcome<string | { message: string }>): Flash {
  if (!done.ok) return { tone: "bad", message: done.failure.message };
  return { tone: "ok", message: typeof done.value === "string" ? done.value : done.value.message };
}

/** Redirects after a post to a page that shows the message once. */
export async function redirectWithFlash(to: string, flash: Flash): Promise<Response> {
  if (flash.tone === "bad") noteRequest({ failed: true });
  return redirect(to, { status: 303, headers: { "Set-Cookie": await serializeFlash(flash) } });
}

/** Adds the message to show, or null, to the data of a page's loader as `flash`. */
export async function dataWithFlash<View extends object>(request: Request, view: View, status = 200) {
  const found = await parseFlash(request);
  const headers: Record<string, string> = found ? { "Set-Cookie": found.setCookie } : {};
  return data({ ...view, flash: found?.flash ?? null }, { status, headers });
}

/** Parses the message to show, with the `Set-Cookie` that removes it; null for none. */
export async function parseFlash(request: Request): Promise<{ flash: Flash; setCookie: string } | null> {
  const cookie = openCookie();
  const parsed = flash.safeParse(await cookie.parse(request.headers.get("Cookie")));
  return parsed.success ? { flash: parsed.data, setCookie: await cookie.serialize("", { maxAge: 0 }) } : null;
}

function openCookie() {
  return createSignedCookie("mailroom_flash", { path: "/", maxAgeSeconds: SHOWN_WITHIN_SECONDS });
}
