import type { Flash } from "~/platform/http/flash.server";
import { Notice } from "./notice";

/** Shows the message of a post once. */
export function FlashNotice({ flash }: { flash: Flash | null }) {
  return flash ? (
    <Notice tone={flash.tone} urgent>
      {flash.message}
    </Notice>
  ) : null;
}
