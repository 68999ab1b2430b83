import { createCookie } from "@remix-run/node";
import { z } from "zod";
import { env } from "../env.server";
import { parseSession } from "./session.server";

/** Choices on which the first HTML depends. The cookie is not signed, so each value is checked before use. */
const preferences = z.object({
  userId: z.string().max(200).optional(),
  /** Subject of the person who chose `userId`. Another person in this browser must not act for that user. */
  chosenBy: z.string().optional(),
  base: z.string().max(100).optional(),
  appendJson: z.boolean().optional(),
  theme: z.enum(["light", "dark"]).optional(),
  /** Shortcuts of one key; on when absent. */
  shortcuts: z.enum(["on", "off"]).optional(),
  /** The welcome was closed. */
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

/** Parses the choices; an invalid cookie counts as none, and so does the user that another person chose. */
export async function parsePreferences(request: Request): Promise<Preferences> {
  const parsed = preferences.safeParse(await cookie().parse(request.headers.get("Cookie")));
  if (!parsed.success) return {};
  const { userId, chosenBy, ...others } = parsed.data;
  const isOwn = userId !== undefined && chosenBy === (await parseSession(request))?.subject;
  return isOwn ? parsed.data : others;
}

/** Returns the `Set-Cookie` that adds changes to the present choices. */
export async function serializePreferences(request: Request, changes: Preferences): Promise<string> {
  const chosen = changes.userId === undefined ? {} : { chosenBy: (await parseSession(request))?.subject };
  return cookie().serialize({ ...(await parsePreferences(request)), ...changes, ...chosen });
}
