import { findBase } from "~/outside/mail-provider/address.server";
import type { ProviderAnswer } from "~/outside/mail-provider/client.server";
import { dropCredentials } from "~/outside/mail-provider/credentials.server";
import { filterHeaders } from "~/outside/mail-provider/headers.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { flagIfCancelled } from "~/responses/flag-cancelled.server";
import {
  buildAutoResponse,
  type CallToSave,
  deriveResponseId,
  saveAutoResponse,
  saveInBackground,
  toSavedCall,
} from "~/responses/save/auto-save.server";
import type { PreparedCall } from "./prepare.server";
import type { SendInput } from "./send-request.schema.server";

/** A call whose answer is to be stored. */
export interface Keeping extends CallToSave {
  idempotencyKey: string | null;
  /** Whose response it is to be. */
  userId: string;
}

/**
 * What is to be stored of a call, or null when nothing is: the caller does not want it, or there is no database.
 * @param call before anything was added to it that the caller did not write
 */
export function planKeeping(input: SendInput, call: PreparedCall, userId: string): Keeping | null {
  if (!input.save || env().database.kind === "none") return null;
  const base = findBase(input.baseUrl);
  const headers = filterHeaders(input.headers);
  const request = {
    base: base.ok ? base.value.label : "",
    method: call.method,
    path: call.class.path,
    query: dropCredentials(input.query) as Record<string, string>,
    headers: headers.ok ? headers.value : {},
    body: call.body ?? null,
  };
  const { presetId, tags, idempotencyKey } = input;
  return { request, presetId, tags, idempotencyKey, userId };
}

/**
 * Stores an answer that is no live mail's, after it was given; returns its id.
 * @param about.sendId of a piece that was mailed although a test was asked for
 * @param about.sentChars how long the request's body was
 */
export function keepAnswer(
  keeping: Keeping,
  answer: ProviderAnswer,
  about: { sendId: string | null; sentChars: number },
  viewer: Viewer,
): string {
  const { userId, idempotencyKey } = keeping;
  const { sendId, sentChars } = about;
  const id = sendId ?? deriveResponseId(viewer.id, userId, idempotencyKey, answer);
  saveInBackground(answer.text.length + sentChars, async () => {
    const asked = await toSavedCall(keeping);
    const response = buildAutoResponse({ id, userId, actorId: viewer.id, sendId }, asked, answer);
    const saved = await saveAutoResponse(response, viewer);
    if (!saved.ok || sendId === null) return saved;
    return withDatabase((db) => flagIfCancelled(db, sendId));
  });
  return id;
}
