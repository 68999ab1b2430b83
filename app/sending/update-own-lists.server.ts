import type { ProviderAnswer } from "~/outside/mail-provider/call/client.server";
import { isSuccess, parseProviderBody } from "~/outside/mail-provider/call/provider-body.server";
import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import { parseJson } from "~/platform/json-value";
import { errorNameOf, log } from "~/platform/log.server";
import { changesRecipients, keepRecipientsInStep } from "~/recipients/record-recipients.server";
import type { PreparedCall } from "./prepare-call.server";
import { refreshAfterCancel } from "./proxy-cancel.server";

/** Updates our own lists of mail and recipients after an answered call. Never fails: what was done is to be told. */
export async function updateOwnLists(
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
