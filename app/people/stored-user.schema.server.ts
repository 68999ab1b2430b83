import { z } from "zod";
import { shortText } from "~/platform/input.server";

export const userId = shortText(255);

export function isUserId(text: string): boolean {
  return userId.safeParse(text).success;
}

const DISPLAY_NAME_CHARS = 100;
const USERNAME_CHARS = 64;

export const storedUserForm = z
  .object({
    display_name: shortText(DISPLAY_NAME_CHARS),
    // A person whose e-mail address is taken has their `auth-` id as username.
    username: shortText(USERNAME_CHARS).refine((name) => !/^auth-/i.test(name), "cannot begin with auth-"),
  })
  .transform(({ display_name, username }) => ({ displayName: display_name, username }));

export type StoredUserInput = z.infer<typeof storedUserForm>;
