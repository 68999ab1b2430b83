import { callProvider } from "~/outside/mail-provider/client.server";
import { maskKey } from "~/outside/mail-provider/mask.server";
import type { Viewer } from "~/people/viewer.server";
import { hashPiece } from "~/pieces/send/duplicates.server";
import { env } from "~/platform/env.server";
import { NOTHING_DONE } from "~/platform/http/messages";
import { findUnstorableValue } from "~/platform/http/unstorable-value";
import { log } from "~/platform/log.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { parseAddressee } from "~/recipients/addressee.server";
import { toSavedCall } from "~/responses/save/auto-save.server";
import { describeAnswer, describeSent, describeSilence, type SendAnswer } from "./answer.server";
import { followUp } from "./follow-ups.server";
import { sendMail } from "./live-send.server";
import { finishMailBody } from "./mail-body.server";
import { freezeCall, hashCall, type PreparedCall, prepareCall } from "./prepare.server";
import { followCancel, openCancelDoor } from "./proxy-cancel.server";
import type { ProbeResponse } from "./proxy-types";
import { parseSendInput } from "./send-request.schema.server";
import { type Keeping, keepAnswer, planKeeping } from "./store-answer.server";
import { checkTestedPiece } from "./tested/check-tested.server";
import { storeTestedPiece } from "./tested/store-tested.server";
import { describeUnanswered } from "./unanswered";
import { bookUnaskedMail } from "./unexpected-live.server";

const PROBE_PATH = "__probe__";

/**
 * Sends a caller's request to the provider with the server's key, and tells what came of it (design §5).
 * `viewer` is who is signed in; `signal` is the caller's going away, which ends every call but a live letter
 * or postcard. Fails before anything goes out with `bad_input`, `forbidden`, `not_configured`, and for live
 * mail with `not_found`, `in_progress`, `key_reused` or `database_unavailable`. A `tested_piece_id` sends that piece live: fails
 * as {@link checkTestedPiece} does.
 */
export async function sendRequest(
  input: unknown,
  viewer: Viewer,
  signal: AbortSignal | null = null,
): Promise<Outcome<SendAnswer>> {
  const hostile = findUnstorableValue(input);
  if (hostile !== null) return fail("bad_input", `${hostile} ${NOTHING_DONE}`);
  const parsed = parseSendInput(input);
  if (!parsed.ok) return parsed;
  const hasServerKey = env().providerKey !== null;
  if (parsed.value.path === PROBE_PATH) {
    const probe: ProbeResponse = { hasServerKey };
    return succeed({ httpStatus: 200, jsonText: JSON.stringify(probe) });
  }
  const prepared = prepareCall(parsed.value);
  if (!prepared.ok) return prepared;
  if (!hasServerKey) {
    return fail(
      "not_configured",
      `No server key configured: STANNP_API_KEY must be set in the server's environment. ${NOTHING_DONE}`,
    );
  }
  const { testedPieceId, idempotencyKey } = parsed.value;
  const payerId = parsed.value.userId ?? viewer.id;
  const promoted =
    testedPieceId === null
      ? succeed({ testedPieceId, idempotencyKey })
      : await checkTestedPiece(prepared.value, testedPieceId, { actorId: viewer.id, payerId });
  if (!promoted.ok) return promoted;
  const finished = await finishMailBody(prepared.value);
  if (!finished.ok) return finished;
  const { call, notice } = finished.value;
  const keeping = planKeeping(parsed.value, prepared.value, payerId);
  if (call.class.kind === "mail" && call.live) {
    const { mailType, path } = call.class;
    const asked = keeping && (await toSavedCall(keeping));
    const { addressCheck, knownDuplicate } = parsed.value;
    // By what was asked for: the PDF of a letter's text says nothing more.
    const pieceHash = hashPiece(mailType, prepared.value.body, prepared.value.baseUrl);
    return sendMail(
      call,
      { mailType, path, payerId, notice, asked, addressCheck, pieceHash, knownDuplicate, ...promoted.value },
      viewer,
    );
  }
  const order = { prepared: prepared.value, payerId, notice, keeping };
  if (call.class.kind !== "cancel") return succeed(await sendPlain(call, order, viewer, signal));
  const door = await openCancelDoor(call, viewer);
  if (!door.ok) return door;
  if (door.value.kind === "ours") return succeed(door.value.answer);
  return succeed(await sendPlain(door.value.call, order, viewer, signal));
}

/** A call that is not live, and who would pay for it. */
interface PlainOrder {
  /** As it was before a letter's text became a PDF. */
  prepared: PreparedCall;
  payerId: string;
  /** What the sender should know of how it was made. */
  notice: string | null;
  /** How its answer is stored; null: it is not. */
  keeping: Keeping | null;
}

/** Everything that is no live mail: one call, nothing to charge. */
async function sendPlain(
  call: PreparedCall,
  { prepared, payerId, notice, keeping }: PlainOrder,
  viewer: Viewer,
  signal: AbortSignal | null,
): Promise<SendAnswer> {
  const frozen = freezeCall(call, null);
  const result = await callProvider({ ...frozen, signal });
  logCall(call, viewer, result);
  const sent = describeSent(frozen);
  if (result.kind !== "answered") {
    // A cancel may have been done all the same.
    if (result.kind !== "unreachable") await followCancel(call, viewer);
    const { httpStatus, error, hint } = describeUnanswered(result, call, env().providerTimeoutMs);
    const at = { url: sent.url, sent, durationMs: result.durationMs };
    return describeSilence(httpStatus, error, at, null, { hint });
  }
  const { status, durationMs, text, headers } = result;
  const answer = { status, durationMs, text, headers };
  const { class: what, method } = call;
  const asked = { method, path: what.path, live: false };
  const keep = (sendId: string | null) => {
    const about = { sendId, sentChars: frozen.body?.length ?? 0 };
    return keeping ? { response_id: keepAnswer(keeping, answer, about, viewer) } : {};
  };
  if (what.kind !== "mail") {
    await followUp(call, answer, payerId, viewer);
    return describeAnswer(answer, asked, sent, null, keep(null));
  }
  const order = {
    mailType: what.mailType,
    path: what.path,
    payerId,
    requestHash: hashCall(call, payerId),
    baseUrl: call.baseUrl,
    addressee: parseAddressee(call.body),
  };
  const { credits, remarks } = await bookUnaskedMail(answer, frozen, order, viewer);
  const tested = await storeTestedPiece(answer, prepared, { actorId: viewer.id, userId: payerId });
  return describeAnswer(answer, asked, sent, credits, {
    ...(notice ? { hint: notice } : {}),
    ...(tested ? { tested_piece: tested } : {}),
    ...remarks,
    ...keep(remarks.send_id ?? null),
  });
}

function logCall(call: PreparedCall, viewer: Viewer, result: Awaited<ReturnType<typeof callProvider>>): void {
  log.info("provider.called", {
    userId: viewer.id,
    method: call.method,
    providerPath: maskKey(call.class.path),
    durationMs: result.durationMs,
    ...(result.kind === "answered" ? { providerStatus: result.status } : { reason: result.kind }),
  });
}
