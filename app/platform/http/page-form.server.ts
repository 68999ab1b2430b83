import { type Failure, fail, type Outcome, succeed } from "../outcome";
import { BODY_LIMIT_BYTES, readLimitedBytes } from "./body.server";
import { NOTHING_DONE } from "./messages";

const TOO_LARGE = `The form with its files is larger than ${BODY_LIMIT_BYTES / 1024 / 1024} MB. ${NOTHING_DONE}`;

/** A form whose `intent` the page does not know. */
export const UNKNOWN_FORM: Failure = { code: "bad_input", message: "Unknown form. Nothing was changed." };

/**
 * A posted form with its files, counted as it arrives like any other body.
 * Fails with `too_large`, or `bad_input` when it cannot be read.
 */
export async function readPageForm(request: Request): Promise<Outcome<FormData>> {
  const type = request.headers.get("Content-Type") ?? "";
  const bytes = await readLimitedBytes(request);
  if (!bytes.ok && bytes.failure.code === "too_large") return fail("too_large", TOO_LARGE);
  if (!bytes.ok) return bytes;
  try {
    return succeed(
      await new Response(Buffer.from(bytes.value), { headers: { "Content-Type": type } }).formData(),
    );
  } catch {
    return fail("bad_input", `The form cannot be read. ${NOTHING_DONE}`);
  }
}
