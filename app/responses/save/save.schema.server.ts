import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { idempotencyKey, shortText } from "~/platform/short-text.server";

/** What may come in to save a response by hand (spec §3 Saved response, §7 `POST /api/responses`). */

/** spec §5. */
const NO_USER = "Please select a user before saving the response";
const MAX_TAGS = 20;
const TAG_CHARS = 100;
const MAX_HEADERS = 200;
const MAX_DURATION_MS = 2_147_483_647;
const STATUS = "is a whole number from 100 to 999";

/** Trimmed, without empty and equal ones. */
export const responseTags = z
  .array(z.string("is a list of texts"), "is a list of texts")
  .transform((given) => [...new Set(given.map((tag) => tag.trim()).filter((tag) => tag !== ""))])
  .pipe(
    z
      .array(shortText(TAG_CHARS))
      .max(MAX_TAGS, `has ${MAX_TAGS} tags at most, of ${TAG_CHARS} characters each`),
  );

const nameOrNone = z
  .union([z.literal(""), shortText(100)], "has 100 characters at most, on one line")
  .nullish();

const savedResponse = z
  .object({
    user_id: userId,
    endpoint_category: nameOrNone,
    endpoint_preset: nameOrNone,
    method: z
      .string("is required")
      .toUpperCase()
      .pipe(z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"], "is none of GET, POST, PUT, PATCH, DELETE")),
    path: shortText(2_048),
    status_code: z.number(STATUS).int(STATUS).min(100, STATUS).max(999, STATUS).nullish(),
    duration_ms: z.number("is a number of milliseconds").min(0).max(MAX_DURATION_MS).nullish(),
    request_data: z.unknown().optional(),
    response_data: z.unknown().optional(),
    response_headers: z
      .record(z.string(), z.string("has texts as values"), "is an object of texts")
      .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `has ${MAX_HEADERS} entries at most`)
      .nullish(),
    tags: responseTags.nullish(),
    idempotency_key: idempotencyKey.nullish(),
  })
  .transform((input) => ({
    userId: input.user_id,
    category: input.endpoint_category || null,
    preset: input.endpoint_preset || null,
    method: input.method,
    path: input.path,
    statusCode: input.status_code ?? null,
    durationMs: typeof input.duration_ms === "number" ? Math.round(input.duration_ms) : null,
    requestData: input.request_data,
    responseData: input.response_data,
    headers: input.response_headers ?? {},
    tags: input.tags ?? [],
    idempotencyKey: input.idempotency_key ?? null,
  }));

export type SavedResponse = z.infer<typeof savedResponse>;

/** Fails with `bad_input`, naming each field that is wrong; without a user in spec §5's words. */
export function parseSavedResponse(input: unknown): Outcome<SavedResponse> {
  const parsed = savedResponse.safeParse(input);
  if (parsed.success) return succeed(parsed.data);
  const { user_id } = Object(input) as { user_id?: unknown };
  if (user_id === undefined || user_id === null || user_id === "") return fail("bad_input", NO_USER);
  const problems = parsed.error.issues
    .slice(0, 5)
    .map((issue) => `${String(issue.path[0] ?? "the body")} ${issue.message}`);
  return fail("bad_input", `The response cannot be saved: ${problems.join("; ")}. Nothing was saved.`);
}
