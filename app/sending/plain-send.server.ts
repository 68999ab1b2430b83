import {
  callProvider,
  type ProviderAnswer,
  type ProviderResult,
} from "~/outside/mail-provider/call/client.server";
import { maskKey } from "~/outside/mail-provider/call/mask.server";
import { isSuccess, parseProviderBody } from "~/outside/mail-provider/call/provider-body.server";
import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import { parseJson } from "~/platform/json-value";
import { errorNameOf, log } from "~/platform/log.server";
import { parseAddressee } from "~/recipients/addressee.server";
import { changesRecipients, keepRecipientsInStep } from "~/recipients/record-recipients.server";
import { formatAnswer, formatNoResponse, type Remarks, type SendAnswer } from "./format-answer.server";
import { freezeCall, hashCall, type PreparedCall } from "./prepare-call.server";
import { refreshAfterCancel } from "./proxy-cancel.server";
import type { CreditOutcome } from "./proxy-types";
import { chooseResponseId, saveAnswer } from "./save-answer.server";
import type { SendContext } from "./send-context";
import { formatSentRequest } from "./sent-request.server";
import { storeTestedPiece } from "./tested/store-tested.server";
import { formatUnanswered } from "./unanswered";
import { alarmUnexpectedSample, recordUnexpectedLive } from "./unexpected-live.server";

/** The outcome of a call that is not live mail. */
export interface PlainSent {
  answer: SendAnswer;
  /** Facts that Mailroom adds to the provider's. */
  remarks: Remarks;
}

/** Sends everything that is not live mail: one call, nothing to charge. */
export async function sendPlain(call: PreparedCall, context: SendContext): Promise<PlainSent> {
  const { prepared, viewer, payerId, notice, saving, signal } = context;
  const frozen = freezeCall(call, null);
  const result = await callProvider({ ...frozen, signal });
  logCall(call, viewer, result);
  const sent = formatSentRequest(frozen);
  if (result.kind !== "answered") {
    if (result.kind !== "unreachable") await updateOwnLists(call, null, payerId, viewer);
    const { httpStatus, error, hint } = formatUnanswered(result, call, env().providerTimeoutMs);
    const at = { url: sent.url, sent, durationMs: result.durationMs };
    return { answer: formatNoResponse(httpStatus, error, at, null, { hint }), remarks: {} };
  }
  const { status, durationMs, text, headers } = result;
  const answer = { status, durationMs, text, headers };
  const { class: what, method } = call;
  const answered = { method, path: what.path };
  const tell = async (credits: CreditOutcome | null, remarks: Remarks): Promise<PlainSent> => {
    const sendId = remarks.send_id ?? null;
    if (!saving) return { answer: await formatAnswer(answer, answered, sent, credits, remarks), remarks };
    const response_id = chooseResponseId(saving, answer, sendId, viewer);
    const told = await formatAnswer(answer, answered, sent, credits, { ...remarks, response_id });
    const about = { sendId, sentChars: frozen.body?.length ?? 0 };
    saveAnswer(response_id, saving, { ...answer, isJson: told.isJson }, about, viewer);
    return { answer: told, remarks };
  };
  if (what.kind !== "mail") {
    await updateOwnLists(call, answer, payerId, viewer);
    return tell(null, what.kind === "sample" ? await alarmUnexpectedSample(answer, what.path, context) : {});
  }
  const test = {
    mailType: what.mailType,
    path: what.path,
    payerId,
    requestHash: hashCall(prepared, payerId),
    baseUrl: call.baseUrl,
    addressee: parseAddressee(call.body),
  };
  const { credits, remarks } = await recordUnexpectedLive(answer, frozen, test, viewer);
  const tested = await storeTestedPiece(answer, prepared, {
    actorId: viewer.id,
    userId: payerId,
    recipientDetails: context.recipientDetails,
  });
  return tell(credits, {
    ...(notice ? { hint: notice } : {}),
    ...(tested ? { tested_piece: tested } : {}),
    ...remarks,
  });
}

function logCall(call: PreparedCall, viewer: Viewer, result: ProviderResult): void {
  log.info("provider.called", {
    userId: viewer.actorId,
    method: call.method,
    providerPath: maskKey(call.class.path),
    durationMs: result.durationMs,
    ...(result.kind === "answered" ? { providerStatus: result.status } : { reason: result.kind }),
  });
}

/** Updates our own lists of mail and recipients after an answered call. Never fails: what was done is to be told. */
async function updateOwnLists(
  call: PreparedCall,
  answer: ProviderAnswer | null,
  userId: string,
  viewer: Viewer,
): Promise<void> {
  try {
    // Without an answer, a cancel may have been done all the same.
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
  const asked = { method: call.method, path: call.class.path };
  const ofRecipients = changesRecipients(asked);
  if (env().database.kind === "none" || call.method !== "POST") return;
  if (!ofRecipients) return refreshAfterCancel(call, viewer);
  const body = parseProviderBody(text);
  if (!isSuccess(status, body, headers["content-type"])) return;
  const data = parseJson(body.dataText);
  await keepRecipientsInStep({ ...asked, body: call.body, data, baseUrl: call.baseUrl, userId }, viewer);
}
