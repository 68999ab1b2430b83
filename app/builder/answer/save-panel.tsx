import { Link } from "@remix-run/react";
import type { UserOption } from "~/people/user-option";
import { splitCommaList } from "~/platform/comma-list";
import type { Failure } from "~/platform/outcome";
import { DatabaseNotice } from "~/ui/database-notice";
import { Notice } from "~/ui/notice";
import { type Savable, type SaveState, useSave } from "./use-save";

export const SAVE_NEEDS_USER = "Please select a user before saving the response";

const NOT_SAVED = "Not saved.";

const UNTIL_DATABASE = "Responses are not saved until then.";

/** In the error of our server when no database is configured. */
const DATABASE_MISSING = "Database connection not available";

/** The tag of an additional copy that was given no tags, to tell it from the auto-saved response. */
const COPY_TAG = "copy";

/**
 * The Save Response panel: whether the response was saved automatically, and saving it by hand with tags. Without
 * JavaScript the form opens the saved copy in a new tab, so that the request being written is not lost.
 */
export function SavePanel({
  savable,
  known,
  users,
  userId,
  usersFailure,
}: {
  savable: Savable;
  /** The server already knows that the response was saved automatically. */
  known: boolean;
  users: UserOption[];
  /** The current user. */
  userId: string | null;
  /** Why users could not be loaded. */
  usersFailure: Failure | null;
}) {
  const { saved, isAutoSaved, save, refuse } = useSave(savable, known);
  const { response_id: responseId, pending } = savable.response;
  if (usersFailure?.code === "not_configured") {
    return (
      <section aria-label="Save Response" className="p-4">
        <DatabaseNotice failure={usersFailure} untilConfigured={UNTIL_DATABASE} />
      </section>
    );
  }
  const form = (
    <form
      method="post"
      action="/stored"
      target="_blank"
      rel="noopener"
      className="flex flex-wrap items-end gap-x-3 gap-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (saved.state === "saving") return;
        const form = new FormData(event.currentTarget);
        const chosen = String(form.get("user_id") ?? "");
        const tags = splitCommaList(String(form.get("tags") ?? ""));
        if (chosen === "") refuse(SAVE_NEEDS_USER);
        else save({ userId: chosen, tags: tags.length === 0 && isAutoSaved ? [COPY_TAG] : tags });
      }}
    >
      <input type="hidden" name="response_id" value={responseId ?? ""} />
      <label className="min-w-32 flex-1">
        <span className="mb-1 block text-dim">Save with tags</span>
        <input
          name="tags"
          placeholder={isAutoSaved ? COPY_TAG : "spring, test"}
          maxLength={2_000}
          autoComplete="off"
          className="control"
        />
      </label>
      <label className="min-w-32 flex-1">
        <span className="mb-1 block text-dim">For user</span>
        <select key={userId} name="user_id" defaultValue={userId ?? ""} className="control">
          {userId === null ? <option value="">Select a user</option> : null}
          {users.map((user) => (
            <option key={user.id} value={user.id}>
              {user.display_name}, {user.username}
            </option>
          ))}
        </select>
      </label>
      <button
        type="submit"
        name="intent"
        value="save_copy"
        className="button"
        disabled={saved.state === "saving" || (pending && !isAutoSaved)}
      >
        {saved.state === "saving" ? "Saving…" : isAutoSaved ? "Save Additional Copy" : "Save Response"}
      </button>
    </form>
  );
  return (
    <section aria-label="Save Response" className="grid gap-1 border-line border-y bg-sunken px-4 py-2.5">
      <div role="status" className="text-dim">
        {pending ? (
          "A live send is saved automatically once its outcome is known."
        ) : (
          <SaveStatus saved={saved} autoId={isAutoSaved ? (responseId ?? null) : null} />
        )}
      </div>
      {isAutoSaved || saved.state === "checking" ? (
        <details>
          <summary className="w-fit py-1">Save a copy</summary>
          {form}
        </details>
      ) : (
        form
      )}
      {saved.state === "failed" ? (
        <div className="mt-2">
          {saved.message.includes(DATABASE_MISSING) ? (
            <DatabaseNotice
              failure={{ code: "not_configured", message: saved.message, details: saved.details ?? "" }}
              untilConfigured={UNTIL_DATABASE}
            />
          ) : (
            <Notice tone="bad" urgent>
              {saved.message}
            </Notice>
          )}
        </div>
      ) : null}
    </section>
  );
}

function SaveStatus({ saved, autoId }: { saved: SaveState; autoId: string | null }) {
  switch (saved.state) {
    case "idle":
      return NOT_SAVED;
    case "checking":
      return "Saving automatically…";
    case "saving":
      return "Saving…";
    case "failed":
      return autoId === null ? NOT_SAVED : <SavedLink word="Auto-saved" id={autoId} />;
    case "saved":
      return <SavedLink word="Saved" id={saved.id} />;
    case "auto-saved":
      return <SavedLink word="Auto-saved" id={saved.id} />;
  }
}

function SavedLink({ word, id }: { word: string; id: string }) {
  return (
    <>
      <span className="font-semibold text-ok">{word}</span>{" "}
      <Link to={`/stored/${id}`} className="link">
        Stored response
      </Link>
    </>
  );
}
