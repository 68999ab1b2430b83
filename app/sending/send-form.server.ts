import { setTimeout as sleep } from "node:timers/promises";
import type { Viewer } from "~/people/viewer.server";
import type { Outcome } from "~/platform/outcome";
import type { SendAnswer } from "./format-answer.server";
import { sendRequest } from "./send-request.server";

const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 200;

/**
 * {@link sendRequest} for a form. A second press makes the browser leave the first one's answer, so it waits for that
 * send, ten seconds at most, and answers with what came of it.
 */
export async function sendForm(input: unknown, viewer: Viewer): Promise<Outcome<SendAnswer>> {
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const sent = await sendRequest(input, viewer);
    if (sent.ok || sent.failure.code !== "in_progress" || performance.now() > until) return sent;
    await sleep(LOOK_EVERY_MS);
  }
}
