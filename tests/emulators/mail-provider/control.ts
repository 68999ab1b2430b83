import { ZodError, z } from "zod";
import type { Emulator } from "./emulator";
import { type Reply, replyJson } from "./http/reply";
import { describeAcceptedPieces } from "./ledger";

const moveSchema = z.object({
  id: z.number(),
  status: z.enum([
    "received",
    "producing",
    "handed_over",
    "in_transit",
    "local_delivery",
    "delivered",
    "returned",
    "cancelled",
  ]),
});
const webhookSchema = z.object({ url: z.string(), secret: z.string().nullable().default(null) });

/**
 * The emulator's own addresses, for use from another process; no key needed:
 * GET `received`, GET `pieces`, POST `fail` (a rule), POST `release`, POST `reset`, POST `move` (`id`, `status`), POST
 * `behave` (what changes), POST `webhook` (`url`, `secret`).
 */
export function answerControl(emulator: Emulator, method: string, target: string, rawBody: Buffer): Reply {
  switch (`${method} ${target}`) {
    case "GET /__emulator/received":
      return replyJson(200, emulator.received);
    case "GET /__emulator/pieces":
      return replyJson(
        200,
        emulator.accounts.flatMap(({ store }) => describeAcceptedPieces(store)),
      );
    case "POST /__emulator/fail":
      return takeOrder(() => emulator.desk.add(JSON.parse(rawBody.toString("utf8"))));
    case "POST /__emulator/behave":
      return takeOrder(() => emulator.behave(JSON.parse(rawBody.toString("utf8"))));
    case "POST /__emulator/release":
      emulator.desk.releaseHeld();
      return replyJson(200, { success: true });
    case "POST /__emulator/move":
      return movePiece(emulator, rawBody);
    case "POST /__emulator/webhook":
      return subscribe(emulator, rawBody);
    case "POST /__emulator/reset":
      emulator.reset();
      return replyJson(200, { success: true });
    default:
      return replyJson(404, { success: false, error: `The emulator has no ${method} ${target}` });
  }
}

function movePiece(emulator: Emulator, rawBody: Buffer): Reply {
  const order = readOrder(rawBody, moveSchema);
  if (!order) return replyJson(400, { success: false, error: "id and status are required" });
  const moved = emulator.move(order.id, order.status);
  return moved
    ? replyJson(200, { success: true })
    : replyJson(404, { success: false, error: "There is no such piece" });
}

function subscribe(emulator: Emulator, rawBody: Buffer): Reply {
  const target = readOrder(rawBody, webhookSchema);
  if (!target) return replyJson(400, { success: false, error: "url is required" });
  emulator.webhooks.target = target;
  return replyJson(200, { success: true });
}

function readOrder<T>(rawBody: Buffer, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(rawBody.toString("utf8")));
  } catch (error) {
    if (!(error instanceof ZodError || error instanceof SyntaxError)) throw error;
    return null;
  }
}

/** The order checks its shape by itself: what comes in may be anything. */
function takeOrder(order: () => void): Reply {
  try {
    order();
    return replyJson(200, { success: true });
  } catch (error) {
    if (!(error instanceof ZodError || error instanceof SyntaxError)) throw error;
    return replyJson(400, { success: false, error: error.message });
  }
}
