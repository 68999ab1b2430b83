import { buildAddress } from "~/platform/url";

/** A status: all live mail with an unknown outcome. */
export const HELD = "held";

/** Returns the tab's address with these parameters; empty ones are left out. */
export function mailAddress(parts: Parameters<typeof buildAddress>[1]): string {
  return buildAddress("/mail", parts);
}

export function heldAddress(userId: string): string {
  return mailAddress({ user_id: userId, status: HELD });
}
