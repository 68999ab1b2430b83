import type { FrozenCall, ProviderAnswer } from "~/outside/mail-provider/call/client.server";
import { dropCredentials } from "~/outside/mail-provider/call/wire.server";
import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import {
  buildAutoResponse,
  type CallToSave,
  deriveResponseId,
  saveInBackground,
  toSavedCall,
} from "~/responses/save/auto-save.server";
import { saveAutoResponse } from "~/responses/save/save-together.server";
import { type AnsweredCall, formatAnswer, type Remarks, type SendAnswer } from "./format-answer.server";
import type { PreparedCall } from "./prepare-call.server";
import type { SendInput } from "./send-request.schema.server";
import { formatSentRequest } from "./sent-request.server";

/** A call whose answer will be saved. */
export interface AnswerToSave extends CallToSave {
  idempotencyKey: string | null;
  /** User of the stored response. */
  userId: string;
}

/**
 * Plans the stored response of a call; null when the caller wants none or there is no database.
 */
export function planSaving(input: SendInput, prepared: PreparedCall, userId: string): AnswerToSave | null {
  if (!input.save || env().database.kind === "none") return null;
  // Does not fail: `prepareCall` has refused a query that cannot be searched.
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

interface Answered {
  call: AnsweredCall;
  frozen: FrozenCall;
  answer: ProviderAnswer;
  remarks: Remarks;
}

/**
 * Formats the answer to a call that is not live mail, and saves it in the background. The stored response of a test that was
 * mailed has the piece's ID.
 */
export async function formatAndSave(
  { call, frozen, answer, remarks }: Answered,
  saving: AnswerToSave | null,
  viewer: Viewer,
): Promise<SendAnswer> {
  const sent = formatSentRequest(frozen);
  if (saving === null) return formatAnswer(answer, call, sent, remarks);
  const { userId, idempotencyKey } = saving;
  const sendId = remarks.send_id ?? null;
  const id = sendId ?? deriveResponseId(viewer.id, userId, idempotencyKey, answer);
  const formatted = await formatAnswer(answer, call, sent, { ...remarks, response_id: id });
  saveInBackground(
    answer.text.length + (answer.bytes?.length ?? 0) + (frozen.body?.length ?? 0),
    async () => {
      const saved = await toSavedCall(saving);
      const meta = { id, userId, actorId: viewer.actorId, sendId };
      const response = buildAutoResponse(meta, saved, { ...answer, isJson: formatted.isJson });
      return saveAutoResponse(response, viewer);
    },
  );
  return formatted;
}
