import { z } from "zod";
import { ADDRESS_VERDICTS, canOverride } from "~/pieces/address-note";
import { findUnstorableValue } from "~/platform/http/json-body.server";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { responseTags } from "~/responses/save/save.schema.server";

const MAX_PAIRS = 200;

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const pairs = z
  .record(z.string(), scalar.nullish())
  .refine((record) => Object.keys(record).length <= MAX_PAIRS, `more than ${MAX_PAIRS} entries`)
  .nullish()
  .transform((record) => {
    const entries = Object.entries(record ?? {});
    return Object.fromEntries(
      entries.filter((pair): pair is [string, string] => typeof pair[1] === "string"),
    );
  });

const addressCheck = z
  .strictObject(
    { verdict: z.enum(ADDRESS_VERDICTS), overridden: z.boolean() },
    { error: "an object of verdict and overridden" },
  )
  .refine((note) => !note.overridden || canOverride(note.verdict), "that verdict cannot be overridden");

/** Body of `POST /api/stannp`, converted to camelCase. */
export const proxyRequest = z
  .object({
    /** An allowed base URL; the first one when absent. */
    baseUrl: z.string().max(2_000).nullish(),
    /** Relative to the base URL; `__probe__` asks if the server has a key. */
    path: z.string(),
    method: z
      .string()
      .toUpperCase()
      .pipe(z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"])),
    query: pairs,
    headers: pairs,
    body: z.unknown().optional(),
    auth: z.object({ strategy: z.literal("env") }).nullish(),
    /** Part of the contract, but the base URL's label decides if `.json` is appended. */
    flags: z.object({ appendJson: z.boolean().optional() }).nullish(),
    /** The payer; the signed-in user when absent. */
    user_id: z.string().min(1).max(255).nullish(),
    /** The mode shown to the caller: false refuses a send that is live mail. */
    expect_live: z.boolean().nullish(),
    /** Sends this tested piece live. The call must be the tested one with `test` off. */
    tested_piece_id: z.string().min(1).max(100).nullish(),
    /** Refuses live mail (409) when the same piece was sent in the last seven days, unless this is that send. Absent: no check. */
    known_duplicate: z.string().max(100).nullable().optional(),
    /** One key, one body, one piece. */
    idempotency_key: z
      .string()
      .regex(/^[A-Za-z0-9._:-]{10,200}$/, "10 to 200 letters, digits, dots, dashes, colons or underscores")
      .nullish(),
    /** Stored with a live send. */
    address_check: addressCheck.nullish(),
    endpoint_preset: z.string().max(100).nullish(),
    /** False keeps the answer out of the stored responses. */
    save: z.boolean().nullish(),
    /** Tags of the stored response; `auto-saved` when absent or empty. */
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

/** Body of `POST /api/stannp` as it is sent. */
export type ProxyRequest = z.input<typeof proxyRequest>;

export type SendInput = z.infer<typeof proxyRequest>;

/** Parses a caller's request. Fails with `bad_input` and names each wrong field. */
export function parseSendInput(input: unknown): Outcome<SendInput> {
  const unstorable = findUnstorableValue(input);
  if (unstorable !== null) return fail("bad_input", `${unstorable} ${NOTHING_DONE}`);
  const parsed = proxyRequest.safeParse(input);
  if (parsed.success) return succeed(parsed.data);
  // Shows only our own field names, because input may hold a secret.
  const problems = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${String(issue.path[0] ?? "request")}: ${issue.message}`);
  return fail("bad_input", `The request cannot be read: ${problems.join("; ")}. ${NOTHING_DONE}`);
}
