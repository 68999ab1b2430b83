import { z } from "zod";
import { withDatabase } from "~/platform/database/database.server";
import { TOKEN_SCOPES } from "~/platform/http/token-scopes";
import { DAY_MS } from "~/platform/time";
import { formatNameTaken, formatTooMany, PROBLEMS } from "./messages";
import { insertToken, MAX_TOKENS } from "./token-record.server";
import { endingOf, hashToken, makeTokenText } from "./token-text.server";
import { EMPTY_DRAFT, LIFETIMES, type TokenDraft } from "./token-view";

/** In whose name a token will act. They are stored already. */
interface Owner {
  id: string;
  email: string | null;
  emailVerified: boolean;
}

/** The token's text, for the one time that it is shown; or the form as it was filled in, with what is wrong. */
export type TokenCreated = { name: string; text: string } | { draft: TokenDraft };

const name = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u, PROBLEMS.name)
  // It parts the person from the token in the books.
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

/** The form of the Profile page as it was filled in. */
export function parseTokenForm(form: FormData): Omit<TokenDraft, "problems"> {
  return {
    name: String(form.get("name") ?? ""),
    scopes: TOKEN_SCOPES.filter((scope) => form.getAll("scope").includes(scope)),
    days: Number(form.get("days")),
    dailyCredits: String(form.get("daily_credits") ?? ""),
  };
}

/** Makes a token from the form of the Profile page. */
export async function createToken(form: FormData, owner: Owner, now = Date.now()): Promise<TokenCreated> {
  const given = parseTokenForm(form);
  const refuse = (problems: TokenDraft["problems"]): TokenCreated => ({
    draft: { ...given, days: LIFETIMES.find((days) => days === given.days) ?? EMPTY_DRAFT.days, problems },
  });
  const parsed = newToken.safeParse(given);
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
      ending: endingOf(text),
      verifiedEmail: owner.emailVerified ? owner.email : null,
      expiresAt: new Date(now + days * DAY_MS),
    }),
  );
  if (!stored.ok) return refuse({ form: stored.failure.message });
  if (stored.value === "taken") return refuse({ name: formatNameTaken(values.name) });
  if (stored.value === "full") return refuse({ form: formatTooMany(MAX_TOKENS) });
  return { name: values.name, text };
}
