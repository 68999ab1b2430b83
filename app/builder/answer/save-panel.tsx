import { useEffect, useRef, useState } from "react";
import type { UserOption } from "~/people/user-option";
import type { Failure } from "~/platform/outcome";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import type { ProxyRequest } from "~/proxy/send-request.schema.server";
import { COPY_TAG, SAVE_NEEDS_USER } from "~/responses/messages";
import { parseTags } from "~/responses/tag-list";
import { FilterChoice, FilterInput } from "~/ui/field";
import { TextLink } from "~/ui/links";
import { DatabaseNotice, ProblemNotice } from "~/ui/notice";
import { readBase64 } from "~/ui/pdf/base64";
import { postJson } from "../send/post-json";

const UNTIL_DATABASE = "Responses are not saved until then.";

interface SavePanelProps {
  savable: Savable;
  /** The server already knows that the response was saved automatically. */
  known: boolean;
  users: UserOption[];
  userId: string | null;
  usersFailure: Failure | null;
}

/**
 * The Save Response panel: whether the response was saved automatically, and saving it by hand with tags. Without
 * JavaScript the form opens the saved copy in a new tab, so that the request being written is not lost.
 */
export function SavePanel({ savable, known, users, userId, usersFailure }: SavePanelProps) {
  const { saved, autoId, save, refuse } = useSave(savable, known);
  const isAutoSaved = autoId !== null;
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
        const tags = parseTags(String(form.get("tags") ?? ""));
        if (chosen === "") refuse({ code: "bad_input", message: SAVE_NEEDS_USER });
        else void save(chosen, tags.length === 0 && isAutoSaved ? [COPY_TAG] : tags);
      }}
    >
      <input type="hidden" name="response_id" value={responseId ?? ""} />
      <FilterInput
        label="Save with tags"
        name="tags"
        placeholder={isAutoSaved ? COPY_TAG : "spring, test"}
        maxLength={2_000}
        autoComplete="off"
        className="min-w-32 flex-1"
      />
      <FilterChoice
        key={userId}
        label="For user"
        name="user_id"
        value={userId}
        all={userId === null ? "Select a user" : undefined}
        options={users.map(({ id, display_name, username }) => [id, `${display_name}, ${username}`])}
        className="min-w-32 flex-1"
      />
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
          <SaveStatus saved={saved} autoId={autoId} />
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
          {saved.failure.code === "not_configured" ? (
            <DatabaseNotice failure={saved.failure} untilConfigured={UNTIL_DATABASE} />
          ) : (
            <ProblemNotice>{saved.failure.message}</ProblemNotice>
          )}
        </div>
      ) : null}
    </section>
  );
}

function SaveStatus({ saved, autoId }: { saved: SaveState; autoId: string | null }) {
  if (saved.state === "checking") return "Saving automatically…";
  if (saved.state === "saving") return "Saving…";
  const id = saved.state === "saved" ? saved.id : autoId;
  if (id === null) return "Not saved.";
  return (
    <>
      <span className="font-semibold text-ok">{saved.state === "saved" ? "Saved" : "Auto-saved"}</span>{" "}
      <TextLink to={`/stored/${id}`}>Stored response</TextLink>
    </>
  );
}

export function formatSaveFailed(status: number): string {
  return `Failed to save response: ${status}`;
}

const SAVE_UNREACHABLE = "Network error: Mailroom did not answer. Save again: it will not be saved twice.";

const SAVED_MS = 3_000;

type SaveState =
  | { state: "idle" }
  /** The server saves it automatically; the page is asking whether it did. */
  | { state: "checking" }
  | { state: "saving" }
  | { state: "saved"; id: string }
  | { state: "failed"; failure: Failure };

/** A response to save by hand, with its request if this page made it. */
interface Savable {
  response: ProxyResponse;
  request: ProxyRequest | null;
  baseLabel: string;
}

/** Saves a response by hand, and finds out whether it was saved automatically, unless that is `known`. */
function useSave(savable: Savable, known: boolean) {
  const { response_id: id, pending } = savable.response;
  const asking = id !== undefined && !pending && !known;
  const [saved, setSaved] = useState<SaveState>({ state: asking ? "checking" : "idle" });
  const [autoId, setAutoId] = useState(known ? (id ?? null) : null);
  const key = useRef<string | null>(null);

  useEffect(() => {
    if (!asking) return;
    const controller = new AbortController();
    findSaved(id, controller.signal).then((found) => {
      if (controller.signal.aborted) return;
      if (found) setAutoId(id);
      setSaved((now) => (now.state === "checking" ? { state: "idle" } : now));
    });
    return () => controller.abort();
  }, [asking, id]);

  useEffect(() => {
    if (saved.state !== "saved") return;
    const timer = setTimeout(() => setSaved({ state: "idle" }), SAVED_MS);
    return () => clearTimeout(timer);
  }, [saved]);

  const save = async (userId: string, tags: string[]) => {
    setSaved({ state: "saving" });
    // A retry after a failure uses the same key and saves once; after a success it is another copy.
    key.current ??= crypto.randomUUID();
    const content = autoId === null ? await buildSavedResponse(savable) : { response_id: autoId };
    const result = await postSave({ user_id: userId, tags, idempotency_key: key.current, ...content });
    if (result.state === "saved") key.current = null;
    setSaved(result);
  };
  const refuse = (failure: Failure) => setSaved({ state: "failed", failure });
  return { saved, autoId, save, refuse };
}

async function buildSavedResponse({ response, request, baseLabel }: Savable) {
  const { status, text, base64, headers, durationMs } = response;
  const { method = "GET", path = "", query = {}, headers: sent = {}, body = null } = request ?? {};
  return {
    endpoint_preset: request?.endpoint_preset ?? "",
    method,
    path,
    status_code: status,
    duration_ms: durationMs,
    request_data: { base: baseLabel, method, path, query, headers: sent, body },
    response_base64: base64 ?? (await readBase64(new Blob([text ?? ""]))),
    response_headers: headers,
  };
}

async function findSaved(id: string, signal: AbortSignal): Promise<boolean> {
  try {
    const reply = await fetch(`/stored/${encodeURIComponent(id)}/saved`, { signal });
    return ((await reply.json()) as { saved?: unknown }).saved === true;
  } catch {
    return false;
  }
}

async function postSave(body: unknown): Promise<SaveState> {
  try {
    const reply = await postJson("/api/responses", body);
    // Something in front of Mailroom may answer without JSON.
    const answer = (await reply.json().catch(() => ({}))) as Partial<Failure> & {
      error?: string;
      data?: { id: string };
    };
    if (reply.ok && answer.data) return { state: "saved", id: answer.data.id };
    const { error, code = "internal_error", details } = answer;
    const message = error || formatSaveFailed(reply.status);
    return { state: "failed", failure: { code, message, details } };
  } catch {
    return { state: "failed", failure: { code: "internal_error", message: SAVE_UNREACHABLE } };
  }
}
