import { z } from "zod";
import { env } from "~/platform/env.server";
import { formatProblems } from "~/platform/input-problems.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { toBaseUrlView } from "../builder-view.server";
import type { BaseUrlView } from "../request/base-url-view";

const schema = z.object({ command: z.string("is required"), base: z.string().max(200).optional() });

/** A command with the base URL for hosts that are not configured, named by its label; else `bad_input`. */
export function parseCurlRequest(body: unknown): Outcome<{ command: string; base: BaseUrlView }> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) return fail("bad_input", formatProblems(parsed.error));
  const { command, base: label } = parsed.data;
  const { baseUrls } = env();
  return succeed({
    command,
    base: toBaseUrlView(baseUrls.find((base) => base.label === label) ?? baseUrls[0]),
  });
}
