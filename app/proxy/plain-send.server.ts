import { isSuccess, parseProviderBody } from "~/outside/mail-provider/call/answer";
import { callProvider, type ProviderAnswer } from "~/outside/mail-provider/call/client.server";
import { maskKey } from "~/outside/mail-provider/call/keys.server";
import type { Viewer } from "~/people/viewer.server";
import { logProviderCall } from "~/pieces/call-until-answered.server";
import { freezeCall } from "~/pieces/send/mail-call.server";
import { alarmUnexpectedSample } from "~/pieces/send/unexpected-mail.server";
import { env } from "~/platform/env.server";
import { parseJson } from "~/platform/json-value";
import { errorNameOf, log } from "~/platform/log.server";
import { changesRecipients, keepRecipientsInStep } from "~/recipients/record-recipients.server";
import type { SendAnswer } from "./format-answer.server";
import { CANCEL_AT_ONCE } from "./messages";
import type { PreparedCall } from "./prepare-call.server";
import { refreshAfterCancel } from "./proxy-cancel.server";
import { type AnswerToSave, formatAndSave } from "./save-answer.server";
import { formatUnansweredCall } from "./unanswered.server";

/** Makes a call that mails no piece and charges nothing. @param signal the caller's disconnect */
export async function sendPlain(
  call: PreparedCall,
  viewer: Viewer,
  payerId: string,
  saving: AnswerToSave | null,
  signal: AbortSignal | null,
): Promise<SendAnswer> {
  const frozen = freezeCall(call);
  const { class: what, method } = call;
  const result = await callProvider({ ...frozen, signal });
  logProviderCall({ userId: viewer.actorId, method, providerPath: maskKey(what.path) }, result);
  if (result.kind !== "answered") {
    if (result.kind !== "unreachable") await updateOwnLists(call, null, payerId, viewer);
    return formatUnansweredCall(result, frozen, call);
  }
  const { kind, ...answer } = result;
  await updateOwnLists(call, answer, payerId, viewer);
  const mailed =
    what.kind === "sample" ? await alarmUnexpectedSample(answer, what.path, { viewer, payerId }) : null;
  const remarks = mailed === null ? {} : { hint: `${mailed} ${CANCEL_AT_ONCE}` };
  const answered = { call: { method, path: what.path }, frozen, answer, remarks };
  return formatAndSave(answered, saving, viewer);
}

/** Updates our lists of mail and recipients after a call. Never fails, because the call's answer must be returned. */
async function updateOwnLists(
  call: PreparedCall,
  answer: ProviderAnswer | null,
  userId: string,
  viewer: Viewer,
): Promise<void> {
  try {
    // A cancel without an answer may have been done.
    await (answer === null ? refreshAfterCancel(call, viewer) : update(call, answer, userId, viewer));
  } catch (error) {
    log.error("lists.not_updated", { errorName: errorNameOf(error) });
  }
}

async function update(
  call: PreparedCall,
  { status, headers, text }: ProviderAnswer,
  userId: string,
  viewer: Viewer,
): Promise<void> {
  const made = { method: call.method, path: call.class.path };
  if (env().database.kind === "none" || call.method !== "POST") return;
  if (!changesRecipients(made)) return refreshAfterCancel(call, viewer);
  const body = parseProviderBody(text);
  if (!isSuccess(status, body, headers["content-type"])) return;
  const data = parseJson(body.dataText);
  await keepRecipientsInStep({ ...made, body: call.body, data, baseUrl: call.baseUrl, userId }, viewer);
}
