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
import { adjustmentForm, findMissingFields } from "./adjustments/adjustment.schema.server";
import { adjustCredits } from "./adjustments/adjustment.server";
import type { PostedForm } from "./credits-view";
import { createCheckout } from "./purchases/checkout.server";

/** The form that buys the package; `draft` is the id of a parked Builder draft, and counts as none when it is no id. */
const purchaseForm = z
  .object({ user_id: userId, draft: z.uuid().optional().catch(undefined) })
  .transform(({ user_id, draft }) => ({ userId: user_id, draftId: draft ?? null }));

/** Where a done post leads, with what is said there; or the form as it was, with what is in the way. */
export type CreditsPost = { goTo: string; flash: Flash | null } | { posted: PostedForm };

/** Does what a form of the User Credits tab asks for; `intent` names it. Null for none of its forms. */
export async function doCreditsPost(form: FormData, viewer: Viewer | null): Promise<CreditsPost | null> {
  const intent = form.get("intent");
  if (intent === "create_user") return createUser(form, viewer);
  if (intent === "add" || intent === "deduct") return adjust(form, intent, viewer);
  if (intent === "purchase") return purchase(form, viewer);
  return null;
}

async function createUser(form: FormData, viewer: Viewer | null): Promise<CreditsPost> {
  const submission = parseWithZod(form, { schema: storedUserForm });
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
  const submission = parseWithZod(form, { schema: adjustmentForm });
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
    log.error("adjusting failed", { errorName: errorNameOf(error) });
    return null;
  });
  // The form keeps its key, so that posting it again adjusts once in any case.
  if (!adjusted) return back(`Error ${action}ing credits`);
  if (!adjusted.ok) {
    const { code, message } = adjusted.failure;
    return back(`Failed to ${action} credits: ${message}`, code === "key_reused" ? randomUUID() : key);
  }
  return { goTo: "/users?view=manage", flash: { tone: "ok", message: adjusted.value.message } };
}

async function purchase(form: FormData, viewer: Viewer | null): Promise<CreditsPost> {
  const submission = parseWithZod(form, { schema: purchaseForm });
  const back = (reason: string): CreditsPost => ({
    posted: {
      form: "purchase",
      result: submission.reply({ formErrors: [`Failed to start checkout process: ${reason}`] }),
      formKey: null,
    },
  });
  if (!viewer) return back(SIGNED_OUT);
  if (submission.status !== "success") return back("Please select a user.");
  const { userId, draftId } = submission.value;
  const started = await createCheckout({ userId, ...nameReturnAddresses(draftId) }, viewer);
  return started.ok ? { goTo: started.value.url, flash: null } : back(started.failure.message);
}

/** Back to the draft that waits in the Builder, else to this tab. */
function nameReturnAddresses(draftId: string | null): { successUrl: string; cancelUrl: string } {
  const page = draftId === null ? "/?tab=users" : `/?draft=${draftId}`;
  const address = env().appOrigin + page;
  return { successUrl: `${address}&success=true`, cancelUrl: `${address}&canceled=true` };
}
