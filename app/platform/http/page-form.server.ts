import { fail, type Outcome, succeed } from "../outcome";
import { BODY_LIMIT_BYTES, readLimitedBytes } from "./body.server";
import { NOTHING_DONE } from "./messages";

const TOO_LARGE = `The form with its files was too large: it may have ${BODY_LIMIT_BYTES / 1024 / 1024} MB at most. ${NOTHING_DONE}`;

/**
 * A posted page form with its files, counted as it arrives like any other body.
 * Fails with `too_large`, `unsupported_media_type`, or `bad_input` when it cannot be read.
 */
export async function readPageForm(request: Request): Promise<Outcome<FormData>> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type)) {
    return fail("unsupported_media_type", `This page takes its own form only. ${NOTHING_DONE}`);
  }
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
