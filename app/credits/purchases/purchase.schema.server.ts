import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";

/** The form that buys the package; `draft` is the id of a kept Builder draft, a foreign text counts as none. */
export const purchaseForm = z
  .object({ user_id: userId, draft: z.uuid().optional().catch(undefined) })
  .transform(({ user_id, draft }) => ({ userId: user_id, draftId: draft ?? null }));
