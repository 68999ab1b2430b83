import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import { formatProblems, idempotencyKey, shortText } from "~/platform/input.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { formatNotSaved, SAVE_NEEDS_USER } from "../messages";
import { METHODS, NOT_A_METHOD } from "../stored-response";

/** The body of `POST /api/responses`, which saves a response by hand. */

const MAX_TAGS = 20;
const TAG_CHARS = 100;
const MAX_DURATION_MS = 2_147_483_647;
const STATUS = "must be a whole number from 100 to 999";
const TEXTS = "must be a list of texts";

/** Trims tags and drops empty ones and duplicates. */
export const responseTags = z
  .array(z.string(TEXTS), TEXTS)
  .transform((tags) => [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ""))])
  .pipe(
    z
      .array(shortText(TAG_CHARS))
      .max(MAX_TAGS, `may have ${MAX_TAGS} tags at most, of ${TAG_CHARS} characters each`),
  );

const nameOrNone = z
  .union([z.literal(""), shortText(100)], "may have 100 characters at most, on one line")
  .nullish();

export const savedResponse = z.object({
  user_id: userId,
  endpoint_category: nameOrNone,
  endpoint_preset: nameOrNone,
  method: z.string("is required").toUpperCase().pipe(z.enum(METHODS, NOT_A_METHOD)),
  path: shortText(2_048),
  status_code: z.number(STATUS).int(STATUS).min(100, STATUS).max(999, STATUS).nullish(),
  duration_ms: z.number("must be a number of milliseconds").min(0).max(MAX_DURATION_MS).nullish(),
  request_data: z.unknown().optional(),
  response_data: z.unknown().optional(),
  response_base64: z.base64("must be base64").nullish(),
  response_headers: z
    .record(z.string(), z.string("must have texts as values"), "must be an object of texts")
    .refine((headers) => Object.keys(headers).length <= 200, "may have 200 entries at most")
    .nullish(),
  tags: responseTags.nullish(),
  idempotency_key: idempotencyKey.nullish(),
});

export type SavedResponse = z.infer<typeof savedResponse>;

/** Parses a response to save. Fails with `bad_input`, naming each invalid field. */
export function parseSavedResponse(input: unknown): Outcome<SavedResponse> {
  const parsed = savedResponse.safeParse(input);
  if (parsed.success) return succeed(parsed.data);
  const { user_id } = Object(input) as { user_id?: unknown };
  if ((user_id ?? "") === "") return fail("bad_input", SAVE_NEEDS_USER);
  return fail("bad_input", formatNotSaved(formatProblems(parsed.error)));
}
