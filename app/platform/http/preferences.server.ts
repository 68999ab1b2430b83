import { createCookie } from "@remix-run/node";
import { z } from "zod";
import { env } from "../env.server";

/**
 * Choices that the browser remembers and that the first HTML depends on: the selected user, the base URL with its
 * append-json flag, the theme, shortcuts, a closed welcome. They are not secret, so the cookie is not signed; every value
 * is checked against what exists before it is used.
 */
const preferences = z.object({
  userId: z.string().max(200).optional(),
  base: z.string().max(100).optional(),
  appendJson: z.boolean().optional(),
  theme: z.enum(["light", "dark"]).optional(),
  /** Of one key; absent: on. */
  shortcuts: z.enum(["on", "off"]).optional(),
  /** The welcome was closed, for good. */
  welcomed: z.literal(true).optional(),
});
export type Preferences = z.infer<typeof preferences>;

const YEAR_SECONDS = 31_536_000;

function cookie() {
  return createCookie("mailroom_preferences", {
    path: "/",
    sameSite: "lax",
    httpOnly: true,
    secure: env().appOrigin.startsWith("https:"),
    maxAge: YEAR_SECONDS,
  });
}

/** The remembered choices; an unreadable cookie counts as none. */
export async function parsePreferences(request: Request): Promise<Preferences> {
  const parsed = preferences.safeParse(await cookie().parse(request.headers.get("Cookie")));
  return parsed.success ? parsed.data : {};
}

/** The `Set-Cookie` header that remembers changed choices beside the present ones. */
export async function serializePreferences(request: Request, changes: Preferences): Promise<string> {
  return cookie().serialize({ ...(await parsePreferences(request)), ...changes });
}
