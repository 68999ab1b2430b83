import {
  callProvider,
  type FrozenCall,
  type ProviderAnswer,
  type ProviderResult,
} from "~/outside/mail-provider/call/client.server";
import { logProviderCall } from "../call-until-answered.server";
import { storeTestedPiece, type TestedPieceOffer } from "../tested/tested-offer.server";
import { freezeCall, type MailCall } from "./mail-call.server";
import type { OpenOrder } from "./piece-order";
import { type MailedTest, recordTest } from "./unexpected-mail.server";

/** The outcome of a test: one call, nothing to charge. */
export type TestOutcome = { frozen: FrozenCall } & (
  | { answer: null; result: Exclude<ProviderResult, { kind: "answered" }> }
  | {
      answer: ProviderAnswer;
      /** Its id in the list of pieces; null when it is not stored. */
      pieceId: string | null;
      /** Present when it can be sent live. */
      tested: TestedPieceOffer | null;
      /** Present when the provider mailed it. */
      mailed: MailedTest | null;
    }
);

/** Sends a test. @param signal the caller's disconnect, which ends it */
export async function sendTest(
  call: MailCall,
  order: OpenOrder,
  signal: AbortSignal | null,
): Promise<TestOutcome> {
  const { viewer, payerId, recipientDetails } = order;
  const frozen = freezeCall(call);
  const result = await callProvider({ ...frozen, signal });
  logProviderCall({ userId: viewer.actorId, method: call.method, providerPath: call.path }, result);
  if (result.kind !== "answered") return { frozen, answer: null, result };
  const { kind, ...answer } = result;
  const recorded = await recordTest(answer, frozen, order);
  const who = { actorId: viewer.id, userId: payerId, recipientDetails };
  return { frozen, answer, ...recorded, tested: await storeTestedPiece(answer, order.call, who) };
}
