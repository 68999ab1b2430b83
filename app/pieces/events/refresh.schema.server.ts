import { z } from "zod";
import { fail, type Outcome, succeed } from "~/platform/outcome";

const MAX_ITEMS = 200;
const request = z.object({ ids: z.array(z.string().min(1).max(64)).min(1).max(MAX_ITEMS) });

/** Reads the body of `POST /api/mail/refresh`: our ids of items. Fails with `bad_input`. */
export function parseRefresh(input: unknown): Outcome<string[]> {
  const parsed = request.safeParse(input);
  if (parsed.success) return succeed(parsed.data.ids);
  return fail("bad_input", `Give ids, a list of 1 to ${MAX_ITEMS} mail items. No status was asked for.`);
}
