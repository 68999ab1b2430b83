import { ZodError } from "zod";
import type { Emulator } from "./emulator";
import type { FaultRule } from "./fault-rule";
import { describeAcceptedPieces } from "./ledger";
import { type Reply, replyJson } from "./reply";

/**
 * The emulator's own addresses, for use from another process; no key needed:
 * GET `received`, GET `pieces`, POST `fail` (a rule), POST `release`, POST `reset`.
 */
export function answerControl(emulator: Emulator, method: string, target: string, rawBody: Buffer): Reply {
  switch (`${method} ${target}`) {
    case "GET /__emulator/received":
      return replyJson(200, emulator.received);
    case "GET /__emulator/pieces":
      return replyJson(200, describeAcceptedPieces(emulator.account.store));
    case "POST /__emulator/fail":
      return addFault(emulator, rawBody);
    case "POST /__emulator/release":
      emulator.desk.releaseHeld();
      return replyJson(200, { success: true });
    case "POST /__emulator/reset":
      emulator.reset();
      return replyJson(200, { success: true });
    default:
      return replyJson(404, { success: false, error: `The emulator has no ${method} ${target}` });
  }
}

function addFault(emulator: Emulator, rawBody: Buffer): Reply {
  try {
    // The desk checks the shape: this is whatever came in.
    const rule: FaultRule = JSON.parse(rawBody.toString("utf8"));
    emulator.desk.add(rule);
    return replyJson(200, { success: true });
  } catch (error) {
    if (!(error instanceof ZodError || error instanceof SyntaxError)) throw error;
    return replyJson(400, { success: false, error: error.message });
  }
}
