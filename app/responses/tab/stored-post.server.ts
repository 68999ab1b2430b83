import { createHash } from "node:crypto";
import type { Viewer } from "~/people/viewer.server";
import { splitCommaList } from "~/platform/comma-list";
import type { Flash } from "~/platform/http/flash.server";
import { safeReturnPath } from "~/platform/http/origin.server";
import { deleteResponse } from "../delete-response.server";
import { saveResponse } from "../save/save-response.server";

/** Tells a copy made by hand from the row that was saved by itself, where no other tag does. */
const COPY_TAG = "copy";

/** Where a post leads, and what is said there. */
export interface StoredPost {
  goTo: string;
  flash: Flash;
}

/** Cancels the piece that a stored response tells of, and says what came of it; mail management does. */
type Cancel = (id: string, viewer: Viewer) => Promise<Flash>;

/**
 * Does what a form about stored responses asks for; `intent` names it: `delete` and `cancel` the response `id`,
 * `save_copy` saves what was saved as `response_id` once more, with tags of one's own. Null for none of the forms.
 */
export async function doStoredPost(
  form: FormData,
  viewer: Viewer,
  cancel: Cancel,
): Promise<StoredPost | null> {
  const intent = form.get("intent");
  const goTo = safeReturnPath(readText(form, "return_to") || "/stored");
  const say = (tone: Flash["tone"], message: string, to = goTo): StoredPost => ({
    goTo: to,
    flash: { tone, message },
  });
  if (intent !== "delete" && intent !== "cancel" && intent !== "save_copy") return null;
  const id = readText(form, "id");
  if (intent === "delete") {
    const deleted = await deleteResponse(id, viewer);
    if (!deleted.ok) return say("bad", deleted.failure.message);
    const kept = deleted.value.kept ? " The send it belongs to keeps its own record." : "";
    return say("ok", `Deleted from the stored responses.${kept}`);
  }
  if (intent === "cancel") return { goTo, flash: await cancel(id, viewer) };
  const tags = splitCommaList(readText(form, "tags"));
  const copy = {
    response_id: readText(form, "response_id"),
    user_id: readText(form, "user_id"),
    tags: tags.length === 0 ? [COPY_TAG] : tags,
  };
  // Two clicks, or a reload, save one copy; other tags or another user make another.
  const saved = await saveResponse({ ...copy, idempotency_key: hash(copy) }, viewer);
  if (!saved.ok) return say("bad", saved.failure.message);
  return say("ok", "Saved.", `/stored/${saved.value.id}`);
}

function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
