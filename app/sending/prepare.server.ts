import { createHash } from "node:crypto";
import { buildUrl, findBase, normalisePath } from "~/outside/mail-provider/address.server";
import { filterHeaders } from "~/outside/mail-provider/headers.server";
import { chooseWireType, encodeWireBody, readWireBody } from "~/outside/mail-provider/wire.server";
import { NOTHING_DONE } from "~/platform/body.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { type CallClass, classifyCall } from "./classify";
import type { SendInput } from "./send.schema.server";

/** A call that may go out, byte for byte. */
export interface PreparedCall {
  class: CallClass;
  /** A letter or postcard that costs money and cannot be called back. */
  live: boolean;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

const BODY_METHODS = new Set(["POST", "PUT", "PATCH"]);

/**
 * Turns a caller's request into the one that goes out, or refuses it (security.md rows 1 to 7). Touches
 * nothing outside.
 */
export function prepareCall(input: SendInput, viewer: { id: string }): Outcome<PreparedCall> {
  const base = findBase(input.baseUrl);
  if (!base.ok) return base;
  const path = normalisePath(input.path);
  if (!path.ok) return path;
  const passed = filterHeaders(input.headers);
  if (!passed.ok) return passed;
  const { "content-type": contentType, ...headers } = passed.value;
  const carriesBody = BODY_METHODS.has(input.method) && input.body !== undefined && input.body !== null;
  const type = chooseWireType(carriesBody ? contentType : undefined);
  if (!type.ok) return type;
  const given = carriesBody ? readWireBody(input.body, type.value) : succeed(undefined);
  if (!given.ok) return given;

  const classified = classifyCall(
    { method: input.method, path: path.value, query: input.query, body: given.value },
    env().allowedPaths,
  );
  if (!classified.ok) {
    return fail(classified.forbidden ? "forbidden" : "bad_input", `${classified.reason} ${NOTHING_DONE}`);
  }
  const call = classified.call;
  const url = buildUrl(base.value, call.path, input.query);
  if (!url.ok) return url;

  const live = call.kind === "mail" && !call.test;
  if (live && input.expectLive === false) {
    return fail(
      "bad_input",
      `This is live mail: a ${call.mailType} would be printed and posted. The page had not said so, so it was kept back. ${NOTHING_DONE} Look at it once more, then press Send LIVE.`,
    );
  }
  const wireType = call.kind === "cancel" ? "application/x-www-form-urlencoded" : type.value;
  const body = call.kind === "mail" ? { ...(given.value as object), test: call.test } : given.value;
  const providerKey =
    live && input.idempotencyKey !== null
      ? deriveProviderKey([viewer.id, input.idempotencyKey, url.value, body])
      : null;
  const encoded = encodeWireBody(
    providerKey === null ? body : { ...(body as object), idempotency_key: providerKey },
    wireType,
  );
  return succeed({
    class: call,
    live,
    method: input.method,
    url: url.value,
    headers: {
      ...headers,
      ...(providerKey === null ? {} : { "x-idempotency-key": providerKey }),
      ...(encoded === null ? {} : { "content-type": wireType }),
    },
    body: encoded,
  });
}

/** One key per person, caller's key and request: two people's keys, or a changed body, never meet. */
function deriveProviderKey(parts: unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
