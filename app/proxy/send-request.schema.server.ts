import { z } from "zod";
import { ADDRESS_VERDICTS, canOverride } from "~/pieces/address-note";
import { findUnstorableValue } from "~/platform/http/unstorable-value";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { responseTags } from "~/responses/save/save.schema.server";

/** The body of `POST /api/stannp`, turned into camelCase here and nowhere else. */

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

const addressCheck = z
  .strictObject(
    { verdict: z.enum(ADDRESS_VERDICTS), overridden: z.boolean() },
    { error: "an object of verdict and overridden" },
  )
  .refine((note) => !note.overridden || canOverride(note.verdict), "that verdict cannot be overridden");

export const proxyRequest = z
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
    tested_piece_id: z.string().min(1).max(100).nullish(),
    known_duplicate: z.string().max(100).nullable().optional(),
    idempotency_key: z
      .string()
      .regex(/^[A-Za-z0-9._:-]{10,200}$/, "10 to 200 letters, digits, dots, dashes, colons or underscores")
      .nullish(),
    address_check: addressCheck.nullish(),
    endpoint_preset: z.string().max(100).nullish(),
    save: z.boolean().nullish(),
    tags: responseTags.nullish(),
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
    testedPieceId: input.tested_piece_id ?? null,
    idempotencyKey: input.idempotency_key ?? null,
    knownDuplicate: input.known_duplicate,
    addressCheck: input.address_check ?? null,
    presetId: input.endpoint_preset ?? null,
    save: input.save ?? true,
    tags: input.tags ?? [],
  }));

/** A caller's request with its defaults. The key is always the server's. */
export type SendInput = z.infer<typeof proxyRequest>;

/** Parses a caller's request. Fails with `bad_input`, which names each wrong field. */
export function parseSendInput(input: unknown): Outcome<SendInput> {
  const unstorable = findUnstorableValue(input);
  if (unstorable !== null) return fail("bad_input", `${unstorable} ${NOTHING_DONE}`);
  const parsed = proxyRequest.safeParse(input);
  if (parsed.success) return succeed(parsed.data);
  // Only our own field names are shown: what the caller wrote may hold a secret.
  const problems = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${String(issue.path[0] ?? "request")}: ${issue.message}`);
  return fail("bad_input", formatBadRequest(problems));
}

/** @param problems "field: what is wrong" */
function formatBadRequest(problems: readonly string[]): string {
  return `The request cannot be read: ${problems.join("; ")}. ${NOTHING_DONE}`;
}
