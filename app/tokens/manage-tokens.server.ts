import { z } from "zod";
import { withDatabase } from "~/platform/database/database.server";
import { TOKEN_SCOPES } from "~/platform/http/token-scopes";
import { succeed, type ValueOf } from "~/platform/outcome";
import { DAY_MS } from "~/platform/time";
import { formatMoment } from "~/ui/moment";
import { isOwnerAway } from "./check-token.server";
import {
  hashToken,
  insertToken,
  listTokens,
  MAX_TOKENS,
  makeTokenText,
  type TokenRecord,
} from "./token-record.server";
import { EMPTY_DRAFT, LIFETIMES, PROBLEMS, type TokenDraft } from "./token-view";

const ENDING_CHARS = 4;

/** The signed-in person on whose behalf a token acts. */
type TokenOwner = { id: string; email: string | null; emailVerified: boolean };

export type TokensView = ValueOf<typeof loadTokens>;

/** The text of a new token, shown once; or the form with its problems. */
type TokenCreated = { name: string; text: string } | { draft: TokenDraft };

const name = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u, PROBLEMS.name)
  // "via" separates the person from the token in an actor's name.
  .refine((text) => !/(^|\s)via(\s|$)/i.test(text), PROBLEMS.nameWithVia);
const newToken = z.object({
  name,
  scopes: z.array(z.enum(TOKEN_SCOPES)).min(1, PROBLEMS.scopes),
  days: z.coerce.number().pipe(z.literal(LIFETIMES, PROBLEMS.days)),
  dailyCredits: z
    .string()
    .trim()
    .regex(/^([1-9]\d{0,5}|1000000)?$/, PROBLEMS.dailyCredits)
    .transform((text) => (text === "" ? null : Number(text))),
});

export function parseTokenForm(form: FormData): Omit<TokenDraft, "problems"> {
  return {
    name: String(form.get("name") ?? ""),
    scopes: TOKEN_SCOPES.filter((scope) => form.getAll("scope").includes(scope)),
    days: Number(form.get("days")),
    dailyCredits: String(form.get("daily_credits") ?? ""),
  };
}

/** Creates a token from the form of the Profile page. @param owner a stored user */
export async function createToken(form: FormData, owner: TokenOwner): Promise<TokenCreated> {
  const input = parseTokenForm(form);
  const refuse = (problems: TokenDraft["problems"]): TokenCreated => ({
    draft: { ...input, days: LIFETIMES.find((days) => days === input.days) ?? EMPTY_DRAFT.days, problems },
  });
  const parsed = newToken.safeParse(input);
  if (!parsed.success) {
    return refuse(
      Object.fromEntries(
        parsed.error.issues.map(({ path, message }) => [String(path[0]), message]).reverse(),
      ),
    );
  }
  const { days, ...values } = parsed.data;
  const text = makeTokenText();
  const stored = await withDatabase((db) =>
    insertToken(db, {
      ...values,
      userId: owner.id,
      tokenHash: hashToken(text),
      ending: text.slice(-ENDING_CHARS),
      verifiedEmail: owner.emailVerified ? owner.email : null,
      expiresAt: new Date(Date.now() + days * DAY_MS),
    }),
  );
  if (!stored.ok) return refuse({ form: stored.failure.message });
  if (stored.value === "taken") {
    const taken = `You have a token named ${values.name} already.`;
    return refuse({ name: `${taken} No token was created. Choose another name.` });
  }
  if (stored.value === "full") {
    const full = `You have ${MAX_TOKENS} tokens in use.`;
    return refuse({ form: `${full} No token was created. Revoke one first.` });
  }
  return { name: values.name, text };
}

/** Loads the tokens of the Profile page, for an admin with those of others. @param revokingId the token to confirm */
export async function loadTokens(
  viewerId: string,
  { isAdmin, revokingId }: { isAdmin: boolean; revokingId: string | null },
  now: Date,
) {
  const loaded = await withDatabase(async (db) => ({
    own: await listTokens(db, viewerId),
    all: isAdmin ? await listTokens(db, null) : null,
  }));
  if (!loaded.ok) return loaded;
  const own = loaded.value.own.map((token) => toRow(token, now));
  const others =
    loaded.value.all?.filter(({ userId }) => userId !== viewerId).map((token) => toRow(token, now)) ?? null;
  const revoking =
    [...own, ...(others ?? [])].find(({ id, ended }) => id === revokingId && ended === null) ?? null;
  return succeed({ own, others, revoking });
}

function toRow(token: TokenRecord, now: Date) {
  const { id, name, ownerName, ending, scopes, dailyCredits, lastUsedAt, revokedAt, expiresAt } = token;
  return {
    ...{ id, name, owner: ownerName, ending, scopes, dailyCredits },
    expires: formatMoment(expiresAt, now),
    /** Null: never. */
    lastUsed: lastUsedAt && formatMoment(lastUsedAt, now),
    /** Null: in use. */
    ended: revokedAt ? "revoked" : expiresAt <= now ? "expired" : null,
    isOwnerAway: isOwnerAway(token, now.getTime()),
  };
}
