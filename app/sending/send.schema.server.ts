import { z } from "zod";
import { NOTHING_DONE } from "~/platform/body.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";

/** What may come in at `POST /api/stannp` (spec §3 Proxy request), turned into camelCase here and nowhere else. */

const MAX_PAIRS = 200;

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const pairs = z
  .record(z.string(), scalar.nullish())
  .refine((record) => Object.keys(record).length <= MAX_PAIRS, `more than ${MAX_PAIRS} entries`)
  .nullish()
  .transform((record) => {
    const given = Object.entries(record ?? {});
    return Object.fromEntries(given.filter((pair): pair is [string, string] => typeof pair[1] === "string"));
  });

const proxyRequest = z
  .object({
    baseUrl: z.string().max(2_000).nullish(),
    path: z.string(),
    method: z
      .string()
      .toUpperCase()
      .pipe(z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"])),
    query: pairs,
    headers: pairs,
    body: z.unknown().optional(),
    auth: z.object({ strategy: z.literal("env") }).nullish(),
    flags: z.object({ appendJson: z.boolean().optional() }).nullish(),
    user_id: z.string().min(1).max(255).nullish(),
    expect_live: z.boolean().nullish(),
    idempotency_key: z
      .string()
      .regex(/^[A-Za-z0-9._:-]{10,200}$/, "10 to 200 letters, digits, dots, dashes, colons or underscores")
      .nullish(),
  })
  .transform((input) => ({
    baseUrl: input.baseUrl ?? null,
    path: input.path,
    method: input.method,
    query: input.query,
    headers: input.headers,
    body: input.body,
    userId: input.user_id ?? null,
    expectLive: input.expect_live ?? null,
    idempotencyKey: input.idempotency_key ?? null,
  }));

/** A caller's request with its defaults; the key is ours in any case (`auth.strategy` is always `env`). */
export type SendInput = z.infer<typeof proxyRequest>;

/** Fails with `bad_input`, naming each field that is wrong. */
export function parseSendInput(input: unknown): Outcome<SendInput> {
  const parsed = proxyRequest.safeParse(input);
  if (parsed.success) return succeed(parsed.data);
  // Only our own field names are told: what the caller wrote may hold a secret.
  const problems = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${String(issue.path[0] ?? "request")}: ${issue.message}`);
  return fail("bad_input", `The request cannot be read: ${problems.join("; ")}. ${NOTHING_DONE}`);
}
