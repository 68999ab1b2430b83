import type { ApiRequest } from "./api";
import { ApiError, type ApiReply } from "./reply";

interface Kept {
  request: string;
  reply: ApiReply | null;
}

/** `Idempotency-Key`: the first answer stands for every repetition, and the key for no other request. */
export class IdempotencyKeys {
  readonly #kept = new Map<string, Kept>();

  /** @throws ApiError 400 for a key of another request, 409 while the first one runs; refusals are not kept */
  async once(
    { idempotencyKey, method, path, body }: ApiRequest,
    operate: () => ApiReply | Promise<ApiReply>,
  ): Promise<ApiReply> {
    if (idempotencyKey === null) return operate();
    const request = `${method} ${path}\n${body}`;
    const kept = this.#kept.get(idempotencyKey);
    if (kept && kept.request !== request) {
      throw new ApiError(400, {
        type: "idempotency_error",
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${idempotencyKey}' if you meant to execute a different request.`,
      });
    }
    if (kept && !kept.reply) {
      throw new ApiError(409, {
        type: "idempotency_error",
        code: "idempotency_key_in_use",
        message: "There is currently another in-progress request using this Idempotent Key.",
      });
    }
    if (kept?.reply) return { ...kept.reply, headers: { "Idempotent-Replayed": "true" } };
    const fresh: Kept = { request, reply: null };
    this.#kept.set(idempotencyKey, fresh);
    try {
      fresh.reply = await operate();
      return fresh.reply;
    } catch (error) {
      this.#kept.delete(idempotencyKey);
      throw error;
    }
  }
}
