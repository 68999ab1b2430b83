import { useEffect, useRef, useState } from "react";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import type { ProxyRequest } from "~/proxy/send-request.schema.server";

export function formatSaveFailed(status: number): string {
  return `Failed to save response: ${status}`;
}

const SAVE_UNREACHABLE = "Network error: Mailroom did not answer. Save again: it will not be saved twice.";

const SAVED_MS = 3_000;

/** Progress of saving a response. */
export type SaveState =
  | { state: "idle" }
  /** The server saves it automatically; the page is asking whether it did. */
  | { state: "checking" }
  | { state: "auto-saved"; id: string }
  | { state: "saving" }
  | { state: "saved"; id: string }
  | { state: "failed"; message: string; details?: string };

/** A response to save by hand, with its request if this page made it. */
export interface Savable {
  response: ProxyResponse;
  request: ProxyRequest | null;
  baseLabel: string;
}

interface SaveChoices {
  userId: string;
  tags: string[];
}

/**
 * Saves a response by hand through `POST /api/responses`, and finds out whether it was saved automatically.
 * @param known the server already said with the page that it was
 */
export function useSave({ response, request, baseLabel }: Savable, known: boolean) {
  const { response_id: id, pending } = response;
  const [saved, setSaved] = useState<SaveState>(() => {
    if (id === undefined || pending) return { state: "idle" };
    return known ? { state: "auto-saved", id } : { state: "checking" };
  });
  /** The id of the automatically saved response. */
  const [autoId, setAutoId] = useState(known ? (id ?? null) : null);
  const key = useRef<string | null>(null);

  const asking = id !== undefined && !pending && !known;
  useEffect(() => {
    if (!asking) return;
    const controller = new AbortController();
    findSaved(id, controller.signal).then((found) => {
      if (controller.signal.aborted) return;
      if (found) setAutoId(id);
      setSaved((now) => {
        if (now.state !== "checking") return now;
        return found ? { state: "auto-saved", id } : { state: "idle" };
      });
    });
    return () => controller.abort();
  }, [asking, id]);

  const done = saved.state === "saved" ? saved.id : null;
  useEffect(() => {
    if (done === null) return;
    const timer = setTimeout(
      () => setSaved(autoId === null ? { state: "idle" } : { state: "auto-saved", id: autoId }),
      SAVED_MS,
    );
    return () => clearTimeout(timer);
  }, [done, autoId]);

  const save = async ({ userId, tags }: SaveChoices) => {
    setSaved({ state: "saving" });
    // A retry after a failure uses the same key and saves once; after a success it is another copy.
    key.current ??= crypto.randomUUID();
    const chosen = { user_id: userId, tags, idempotency_key: key.current };
    const result = await postSave(
      autoId === null
        ? { ...chosen, ...buildSavedResponse({ response, request, baseLabel }) }
        : { ...chosen, response_id: autoId },
    );
    if (result.state === "saved") key.current = null;
    setSaved(result);
  };
  return {
    saved,
    isAutoSaved: autoId !== null,
    save,
    refuse: (message: string) => setSaved({ state: "failed", message }),
  };
}

function buildSavedResponse({ response, request, baseLabel }: Savable) {
  const { status, text, base64, headers, durationMs } = response;
  const { method = "GET", path = "", query = {}, headers: sent = {}, body = null } = request ?? {};
  return {
    endpoint_preset: request?.endpoint_preset ?? "",
    method,
    path,
    status_code: status,
    duration_ms: durationMs,
    request_data: { base: baseLabel, method, path, query, headers: sent, body },
    response_base64: base64 ?? encodeBase64(text ?? ""),
    response_headers: headers,
  };
}

/** Encodes a text as base64 of its UTF-8 bytes. */
function encodeBase64(text: string): string {
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
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
    const reply = await fetch("/api/responses", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = (await reply.json().catch(() => null)) as {
      error?: unknown;
      details?: unknown;
      data?: { id?: unknown };
    } | null;
    const id = answer?.data?.id;
    if (reply.ok && typeof id === "string") return { state: "saved", id };
    const { error, details } = answer ?? {};
    const hasReason = typeof error === "string" && error !== "";
    return {
      state: "failed",
      message: hasReason ? error : formatSaveFailed(reply.status),
      ...(typeof details === "string" ? { details } : {}),
    };
  } catch {
    return { state: "failed", message: SAVE_UNREACHABLE };
  }
}
