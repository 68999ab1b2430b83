import type { ProviderAnswer } from "~/outside/mail-provider/call/client.server";
import { dropCredentials } from "~/outside/mail-provider/call/credentials.server";
import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import {
  buildAutoResponse,
  type CallToSave,
  deriveResponseId,
  type SavedAnswer,
  saveInBackground,
  toSavedCall,
} from "~/responses/save/auto-save.server";
import { saveAutoResponse } from "~/responses/save/save-together.server";
import type { PreparedCall } from "./prepare-call.server";
import type { SendInput } from "./send-request.schema.server";

/** A call whose answer is to be saved. */
export interface AnswerToSave extends CallToSave {
  idempotencyKey: string | null;
  /** Whose stored response it will be. */
  userId: string;
}

/**
 * Plans what to save of a call; null when the caller does not want it saved or there is no database.
 * @param prepared without what the server adds later
 */
export function planSaving(input: SendInput, prepared: PreparedCall, userId: string): AnswerToSave | null {
  if (!input.save || env().database.kind === "none") return null;
  // prepareCall has refused a query that cannot be searched.
  const query = dropCredentials(input.query);
  const request = {
    base: prepared.baseLabel,
    method: prepared.method,
    path: prepared.class.path,
    query: query.ok ? (query.value as Record<string, string>) : {},
    headers: prepared.passedHeaders,
    body: prepared.body ?? null,
  };
  const { presetId, tags, idempotencyKey } = input;
  return { request, presetId, tags, idempotencyKey, userId };
}

/**
 * The ID that the stored response of an answer will have.
 * @param sendId of a piece that was mailed although a test was asked for
 */
export function chooseResponseId(
  { userId, idempotencyKey }: AnswerToSave,
  answer: ProviderAnswer,
  sendId: string | null,
  viewer: Viewer,
): string {
  return sendId ?? deriveResponseId(viewer.id, userId, idempotencyKey, answer);
}

/**
 * Saves an answer that is not live mail's in the background.
 * @param about.sendId as for {@link chooseResponseId}
 * @param about.sentChars length of the request's body
 */
export function saveAnswer(
  id: string,
  saving: AnswerToSave,
  answer: SavedAnswer,
  { sendId, sentChars }: { sendId: string | null; sentChars: number },
  viewer: Viewer,
): void {
  const { userId } = saving;
  saveInBackground(answer.text.length + sentChars, async () => {
    const saved = await toSavedCall(saving);
    const response = buildAutoResponse({ id, userId, actorId: viewer.actorId, sendId }, saved, answer);
    return saveAutoResponse(response, viewer);
  });
}
