import type { Viewer } from "~/people/viewer.server";
import { toCancelFlash } from "~/pieces/cancel/cancel-settle.server";
import { sha256 } from "~/platform/hash.server";
import type { Flash } from "~/platform/http/flash.server";
import { safeReturnPath } from "~/platform/http/security.server";
import { cancelResponse } from "../cancel-response.server";
import { changeTags, deleteResponse } from "../change-response.server";
import { COPY_TAG } from "../messages";
import { saveResponse } from "../save/save-response.server";
import { parseTags } from "../tag-list";

/**
 * Handles a form about stored responses by its `intent`: `cancel` cancels the piece of the response `id`, `delete`
 * deletes it, `change_tags` replaces its tags, `save_copy` saves a copy of the response `response_id` with other tags.
 * Returns the page to go to and its notice; null for an unknown form.
 */
export async function handleStoredPost(form: FormData, viewer: Viewer) {
  const text = (name: string) => String(form.get(name) ?? "");
  const goTo = safeReturnPath(text("return_to") || "/stored");
  const done = (tone: Flash["tone"], message: string, to = goTo) => ({ goTo: to, flash: { tone, message } });
  switch (form.get("intent")) {
    case "cancel":
      return { goTo, flash: toCancelFlash(await cancelResponse(text("id"), viewer)) };
    case "change_tags": {
      const changed = await changeTags(text("id"), parseTags(text("tags")));
      return changed.ok ? done("ok", "Tags saved.") : done("bad", changed.failure.message);
    }
    case "delete": {
      const deleted = await deleteResponse(text("id"), viewer);
      if (!deleted.ok) return done("bad", deleted.failure.message);
      const kept = deleted.value.hidden ? " The piece keeps its own record." : "";
      return done("ok", `Deleted from the stored responses.${kept}`);
    }
    case "save_copy": {
      const tags = parseTags(text("tags"));
      const copy = {
        response_id: text("response_id"),
        user_id: text("user_id"),
        tags: tags.length === 0 ? [COPY_TAG] : tags,
      };
      // The key hashes the content: two clicks or a reload save one copy, other tags or another user another one.
      const idempotency_key = sha256(JSON.stringify(copy));
      const saved = await saveResponse({ ...copy, idempotency_key }, viewer);
      if (!saved.ok) return done("bad", saved.failure.message);
      return done("ok", "Saved.", `/stored/${saved.value.id}`);
    }
    default:
      return null;
  }
}
