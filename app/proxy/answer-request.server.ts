import { setTimeout as sleep } from "node:timers/promises";
import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import { doHeavyWork } from "~/platform/heavy-work.server";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import type { ProbeResponse } from "./answer.schema.server";
import { type SendAnswer, WRITE_ANSWER, writeAnswer } from "./format-answer.server";
import { parseSendInput } from "./send-request.schema.server";
import { sendRequest } from "./send-request.server";

const PROBE_FOR_PROGRAMS = `\`__probe__\` is answered at POST /api/stannp only. ${NOTHING_DONE}`;

const PROBE_PATH = "__probe__";
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 200;

/** Answers `POST /api/stannp` with JSON. Fails as {@link parseSendInput} and {@link sendRequest} do. */
export async function answerRequest(
  body: unknown,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<Outcome<{ httpStatus: number; json: string }>> {
  const input = parseSendInput(body);
  if (!input.ok) return input;
  if (input.value.path === PROBE_PATH) {
    const probe: ProbeResponse = { hasServerKey: env().providerKey !== null };
    return succeed({ httpStatus: 200, json: JSON.stringify(probe) });
  }
  const sent = await sendRequest(input.value, viewer, signal);
  if (!sent.ok) return sent;
  const { httpStatus } = sent.value;
  const written = await doHeavyWork(WRITE_ANSWER, sent.value);
  // The call was made, so its answer is written without limits if necessary.
  return succeed({ httpStatus, json: written.ok ? written.value : writeAnswer(sent.value) });
}

/**
 * Sends the request of a posted form. After a double press the browser shows only the second answer, so the second post waits
 * up to ten seconds for the first send and returns its outcome.
 */
export async function sendForm(posted: unknown, viewer: Viewer): Promise<Outcome<SendAnswer>> {
  const input = parseSendInput(posted);
  if (!input.ok) return input;
  if (input.value.path === PROBE_PATH) return fail("bad_input", PROBE_FOR_PROGRAMS);
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const sent = await sendRequest(input.value, viewer);
    if (sent.ok || sent.failure.code !== "in_progress" || performance.now() > until) return sent;
    await sleep(LOOK_EVERY_MS);
  }
}
