import { randomUUID } from "node:crypto";
import { parseWithZod } from "@conform-to/zod/v4";
import { z } from "zod";
import { SIGNED_OUT } from "~/people/messages";
import { storedUserForm, userId } from "~/people/stored-user.schema.server";
import { createStoredUser } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import type { Flash } from "~/platform/http/flash.server";
import { pickFields } from "~/platform/http/page-form.server";
import { errorNameOf, log } from "~/platform/log.server";
import { adjustmentForm, findMissingFields } from "./adjustments/adjustment.schema.server";
import { adjustCredits } from "./adjustments/adjustment.server";
import type { PostedForm } from "./credits-view";
import { formatAdjustError, formatCheckoutFailed } from "./messages";
import { createCheckout } from "./purchases/checkout.server";

/** The purchase form; `draft` is the id of a parked Builder draft, `list` of a list. An invalid id counts as none. */
const purchaseForm = z
  .object({
    user_id: userId,
    draft: z.uuid().optional().catch(undefined),
    list: z.uuid().optional().catch(undefined),
  })
  .transform(({ user_id, draft, list }) => ({
    userId: user_id,
    draftId: draft ?? null,
    listId: list ?? null,
  }));

/** The next page with its notice; or the refused form with its values and the reason. */
export type CreditsPost = { goTo: string; flash: Flash | null } | { posted: PostedForm };

/** Handles the forms of the User Credits tab by `intent`. Null for an unknown form. */
export async function doCreditsPost(form: FormData, viewer: Viewer | null): Promise<CreditsPost | null> {
  const intent = form.get("intent");
  if (intent === "create_user") return createUser(form, viewer);
  if (intent === "add" || intent === "deduct") return adjust(form, intent, viewer);
  if (intent === "purchase") return purchase(form, viewer);
  return null;
}

async function createUser(form: FormData, viewer: Viewer | null): Promise<CreditsPost> {
  const submission = parseForm(form, storedUserForm);
  const back = (message: string): CreditsPost => ({
    posted: { form: "new_user", result: submission.reply({ formErrors: [message] }), formKey: null },
  });
  if (!viewer) return back(SIGNED_OUT);
  if (submission.status !== "success") {
    return { posted: { form: "new_user", result: submission.reply(), formKey: null } };
  }
  const created = await createStoredUser(submission.value);
  if (!created.ok) return back(created.failure.message);
  const { displayName, username } = submission.value;
  return {
    goTo: `/users?${new URLSearchParams({ view: "manage", user_id: created.value.id })}`,
    flash: { tone: "ok", message: `Created ${displayName} (${username}). They have no credits yet.` },
  };
}

async function adjust(form: FormData, action: "add" | "deduct", viewer: Viewer | null): Promise<CreditsPost> {
  form.set("action", action);
  const submission = parseForm(form, adjustmentForm);
  const key = String(form.get("idempotency_key") ?? "");
  const back = (message: string, formKey = key): CreditsPost => ({
    posted: { form: "adjust", result: submission.reply({ formErrors: [message] }), formKey },
  });
  if (!viewer) return back(SIGNED_OUT);
  const missing = findMissingFields(form);
  if (missing) return back(missing);
  if (submission.status !== "success")
    return { posted: { form: "adjust", result: submission.reply(), formKey: key } };
  const adjusted = await adjustCredits(submission.value, viewer).catch((error: unknown) => {
    log.error("credits.adjust_failed", { errorName: errorNameOf(error) });
    return null;
  });
  // The form keeps its key, so that posting it again does not repeat an adjustment that was made after all.
  if (!adjusted) return back(formatAdjustError(action));
  if (!adjusted.ok) {
    const { code, message } = adjusted.failure;
    return back(`Failed to ${action} credits: ${message}`, code === "key_reused" ? randomUUID() : key);
  }
  return { goTo: "/users?view=manage", flash: { tone: "ok", message: adjusted.value.message } };
}

async function purchase(form: FormData, viewer: Viewer | null): Promise<CreditsPost> {
  const submission = parseForm(form, purchaseForm);
  const back = (reason: string): CreditsPost => ({
    posted: {
      form: "purchase",
      result: submission.reply({ formErrors: [formatCheckoutFailed(reason)] }),
      formKey: null,
    },
  });
  if (!viewer) return back(SIGNED_OUT);
  if (submission.status !== "success") return back("Please select a user.");
  const { userId, ...returnTo } = submission.value;
  const started = await createCheckout({ userId, ...buildReturnAddresses(returnTo) }, viewer);
  return started.ok ? { goTo: started.value.url, flash: null } : back(started.failure.message);
}

/** Returns to the parked draft of the Builder, else to the purchase for a list, else to this tab. */
function buildReturnAddresses({ draftId, listId }: { draftId: string | null; listId: string | null }): {
  successUrl: string;
  cancelUrl: string;
} {
  const forList = listId === null ? "/?tab=users" : `/users?list=${listId}`;
  const page = draftId === null ? forList : `/?draft=${draftId}`;
  const address = env().appOrigin + page;
  return { successUrl: `${address}&success=true`, cancelUrl: `${address}&canceled=true` };
}

/** Parses only the fields of the schema: Conform takes other names for paths and follows them. */
function parseForm<Fields extends z.ZodRawShape, Value>(
  form: FormData,
  schema: z.ZodPipe<z.ZodObject<Fields>, z.ZodTransform<Value, z.output<z.ZodObject<Fields>>>>,
) {
  return parseWithZod(pickFields(form, Object.keys(schema.in.shape)), { schema });
}
