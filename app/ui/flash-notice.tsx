import type { Flash } from "~/platform/http/flash.server";
import { Notice } from "./notice";

/** What a page says once, after a post; nothing without it. */
export function FlashNotice({ flash }: { flash: Flash | null }) {
  return flash ? (
    <Notice tone={flash.tone} urgent>
      {flash.message}
    </Notice>
  ) : null;
}
