import { createHash } from "node:crypto";
import type { Viewer } from "~/people/viewer.server";
import { splitCommaList } from "~/platform/comma-list";
import type { Flash } from "~/platform/http/flash.server";
import { safeReturnPath } from "~/platform/http/origin.server";
import { changeTags } from "../change-tags.server";
import { deleteResponse } from "../delete-response.server";
import { DELETED, DELETED_KEEPS_PIECE } from "../messages";
import { saveResponse } from "../save/save-response.server";

/** Added to a copy without tags, to tell it from the automatically saved response. */
const COPY_TAG = "copy";

/** The page to go to, and its notice. */
export interface StoredPost {
  goTo: string;
  flash: Flash;
}

/**
 * Handles a form about stored responses, which `intent` names: `delete` deletes the response `id`, `change_tags`
 * replaces its tags, `save_copy` saves a copy of the response `response_id` with other tags. Null for an unknown form.
 */
export async function doStoredPost(form: FormData, viewer: Viewer): Promise<StoredPost | null> {
  const intent = form.get("intent");
  const goTo = safeReturnPath(findText(form, "return_to") || "/stored");
  const notice = (tone: Flash["tone"], message: string, to = goTo): StoredPost => ({
    goTo: to,
    flash: { tone, message },
  });
  if (intent !== "delete" && intent !== "save_copy" && intent !== "change_tags") return null;
  const id = findText(form, "id");
  if (intent === "change_tags") {
    const changed = await changeTags(id, splitCommaList(findText(form, "tags")));
    return changed.ok ? notice("ok", "Tags saved.") : notice("bad", changed.failure.message);
  }
  if (intent === "delete") {
    const deleted = await deleteResponse(id, viewer);
    if (!deleted.ok) return notice("bad", deleted.failure.message);
    return notice("ok", deleted.value.hidden ? DELETED_KEEPS_PIECE : DELETED);
  }
  const tags = splitCommaList(findText(form, "tags"));
  const copy = {
    response_id: findText(form, "response_id"),
    user_id: findText(form, "user_id"),
    tags: tags.length === 0 ? [COPY_TAG] : tags,
  };
  // The key is made of the content: two clicks or a reload save one copy, other tags or another user another one.
  const saved = await saveResponse({ ...copy, idempotency_key: hash(copy) }, viewer);
  if (!saved.ok) return notice("bad", saved.failure.message);
  return notice("ok", "Saved.", `/stored/${saved.value.id}`);
}

function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function findText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
