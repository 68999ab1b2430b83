import { randomUUID } from "node:crypto";
import { parseWithZod } from "@conform-to/zod/v4";
import { z } from "zod";
import { SIGNED_OUT } from "~/people/messages";
import { storedUserForm, userId } from "~/people/stored-user.schema.server";
import { createStoredUser } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { env } from "~/platform/env.server";
import type { Flash } from "~/platform/http/flash.server";
import { errorNameOf, log } from "~/platform/log.server";
import { adjustCredits, adjustmentForm, findMissingFields } from "./adjustments/adjustment.server";
import type { PostedForm } from "./credit-forms";
import { formatAdjustError, formatCheckoutFailed } from "./messages";
import { createCheckout } from "./purchases/checkout.server";

/** The purchase form; `draft` is the id of a parked Builder draft, `list` of a list. An invalid id counts as none. */
const purchaseForm = z.object({
  user_id: userId,
  draft: z.uuid().optional().catch(undefined),
  list: z.uuid().optional().catch(undefined),
});

/** The next page with its notice; or the refused form with its values and the reason. */
type CreditsPost = { goTo: string; flash: Flash | null } | { posted: PostedForm };

/** Handles the forms of the User Credits tab by `intent`. Null for an unknown form. */
export async function doCreditsPost(form: FormData, viewer: Viewer | null): Promise<CreditsPost | null> {
  const intent = form.get("intent");
  if (intent === "create_user") return createUser(form, viewer);
  if (intent === "add" || intent === "deduct") return adjust(form, intent, viewer);
  if (intent === "purchase") return purchase(form, viewer);
  return null;
}

async function createUser(form: FormData, viewer: Viewer | null): Promise<CreditsPost> {
  const { data, refuse } = parseForm("new_user", form, storedUserForm);
  if (!viewer) return refuse(SIGNED_OUT);
  if (!data) return refuse(null);
  const created = await createStoredUser(data);
  if (!created.ok) return refuse(created.failure.message);
  const goTo = `/users?${new URLSearchParams({ view: "manage", user_id: created.value.id })}`;
  const message = `Created ${data.displayName} (${data.username}). They have no credits yet.`;
  return { goTo, flash: { tone: "ok", message } };
}

async function adjust(form: FormData, action: "add" | "deduct", viewer: Viewer | null): Promise<CreditsPost> {
  form.set("action", action);
  const { data, refuse } = parseForm("adjust", form, adjustmentForm);
  const key = String(form.get("idempotency_key") ?? "");
  if (!viewer) return refuse(SIGNED_OUT, key);
  const missing = findMissingFields(form);
  if (missing || !data) return refuse(missing, key);
  const adjusted = await adjustCredits(data, viewer).catch((error: unknown) => {
    log.error("credits.adjust_failed", { errorName: errorNameOf(error) });
    return null;
  });
  // The form keeps its key, so that posting it again does not repeat an adjustment that was made after all.
  if (!adjusted) return refuse(formatAdjustError(action), key);
  if (!adjusted.ok) {
    const { code, message } = adjusted.failure;
    return refuse(`Failed to ${action} credits: ${message}`, code === "key_reused" ? randomUUID() : key);
  }
  return { goTo: "/users?view=manage", flash: { tone: "ok", message: adjusted.value.message } };
}

async function purchase(form: FormData, viewer: Viewer | null): Promise<CreditsPost> {
  const { data, refuse } = parseForm("purchase", form, purchaseForm);
  if (!viewer || !data) return refuse(formatCheckoutFailed(viewer ? "Please select a user." : SIGNED_OUT));
  // Returns to the parked draft of the Builder, else to the purchase for a list, else to this tab.
  const forList = data.list === undefined ? "/?tab=users" : `/users?list=${data.list}`;
  const address = env().appOrigin + (data.draft === undefined ? forList : `/?draft=${data.draft}`);
  const addresses = { successUrl: `${address}&success=true`, cancelUrl: `${address}&canceled=true` };
  const started = await createCheckout({ userId: data.user_id, credits: null, ...addresses }, viewer);
  return started.ok
    ? { goTo: started.value.url, flash: null }
    : refuse(formatCheckoutFailed(started.failure.message));
}

/** Parses a form; `refuse` shows it again. Conform gets no names that it would follow as paths: `a[4294967294]` would hang it. */
function parseForm<Value>(name: PostedForm["form"], form: FormData, schema: z.ZodType<Value>) {
  const fields = new FormData();
  for (const [field, value] of form) {
    if (typeof value === "string" && /^[a-z]\w*$/.test(field)) fields.set(field, value);
  }
  const submission = parseWithZod(fields, { schema });
  const isValid = submission.status === "success";
  const problems: Record<string, string> = {};
  for (const [field, reasons] of Object.entries((!isValid && submission.error) || {})) {
    if (reasons?.[0]) problems[field] = reasons[0];
  }
  const values = Object.fromEntries(fields) as Record<string, string>;
  const refuse = (problem: string | null, formKey: string | null = null): CreditsPost => ({
    posted: { form: name, values, problem, problems, formKey },
  });
  return { data: isValid ? submission.value : null, refuse };
}
