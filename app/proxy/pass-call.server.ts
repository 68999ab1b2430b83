import { isSuccess, parseProviderBody } from "~/outside/mail-provider/call/answer";
import {
  callProvider,
  logProviderCall,
  type ProviderAnswer,
} from "~/outside/mail-provider/call/client.server";
import { maskKey } from "~/outside/mail-provider/call/keys.server";
import type { Viewer } from "~/people/viewer.server";
import { CANCEL_AT_ONCE } from "~/pieces/messages";
import { freezeCall } from "~/pieces/send/mail-call.server";
import { alarmUnexpectedSample } from "~/pieces/send/unexpected-mail.server";
import { env } from "~/platform/env.server";
import { parseJson } from "~/platform/json-value";
import { errorNameOf, log } from "~/platform/log.server";
import { changesRecipients, syncRecipients } from "~/recipients/record-recipients.server";
import { type AnswerToSave, formatAndSave, formatUnansweredCall } from "./answer-call.server";
import { refreshAfterCancel } from "./cancel-piece.server";
import type { SendAnswer } from "./format-answer.server";
import type { PreparedCall } from "./prepare-call.server";

/** Makes a call that mails no piece and charges nothing. @param signal the caller's disconnect */
export async function passCall(
  call: PreparedCall,
  viewer: Viewer,
  payerId: string,
  saving: AnswerToSave | null,
  signal: AbortSignal | null,
): Promise<SendAnswer> {
  const frozen = freezeCall(call);
  const { class: callClass, method } = call;
  const result = await callProvider({ ...frozen, signal });
  logProviderCall({ userId: viewer.actorId, method, providerPath: maskKey(callClass.path) }, result);
  if (result.kind !== "answered") {
    if (result.kind !== "unreachable") await updateOwnLists(call, null, payerId, viewer);
    return formatUnansweredCall(result, frozen, { method, kind: callClass.kind });
  }
  const { kind, ...answer } = result;
  await updateOwnLists(call, answer, payerId, viewer);
  const mailed =
    callClass.kind === "sample"
      ? await alarmUnexpectedSample(answer, callClass.path, { viewer, payerId })
      : null;
  const remarks = mailed === null ? {} : { hint: `${mailed} ${CANCEL_AT_ONCE}` };
  const answered = { call: { method, path: callClass.path }, frozen, answer, remarks };
  return formatAndSave(answered, saving, viewer);
}

/** Updates our lists of mail and recipients after a call. Never fails, because the call's answer must be returned. */
async function updateOwnLists(
  call: PreparedCall,
  answer: ProviderAnswer | null,
  userId: string,
  viewer: Viewer,
): Promise<void> {
  const made = { method: call.method, path: call.class.path };
  try {
    // A cancel without an answer may have been done.
    if (answer === null || !changesRecipients(made)) return await refreshAfterCancel(call, viewer);
    const body = parseProviderBody(answer.text);
    if (env().database.kind === "none" || !isSuccess(answer.status, body, answer.headers["content-type"]))
      return;
    const data = parseJson(body.dataText);
    await syncRecipients({ ...made, body: call.body, data, baseUrl: call.baseUrl, userId }, viewer);
  } catch (error) {
    log.error("lists.not_updated", { errorName: errorNameOf(error) });
  }
}
