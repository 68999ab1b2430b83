import { randomUUID } from "node:crypto";
import { env } from "~/platform/env.server";
import { readPreferences } from "~/platform/preferences.server";
import type { ProxyRequest } from "~/sending/envelope";
import { findChosenPreset, readTemplate, viewBaseUrl } from "./builder-view.server";
import { type Draft, openDraft } from "./draft";
import { markDraft, readDraftForm } from "./draft-form.server";
import { buildRequest, findSendBlock, listProblems } from "./request";
import type { BaseUrlView } from "./view";

/** What the Builder's form asks for when it is posted without JavaScript. */
export interface BuilderPost {
  draft: Draft;
  bodyMark: string;
  draftKey: string;
  /** Whether it was to be sent, so that the page names what is in the way. */
  attempted: boolean;
  /** Whether credits are to be bought first; the draft waits for that. */
  buying: boolean;
  presetId: string;
  documented: boolean;
  base: BaseUrlView;
  userId: string | null;
  /** What to send, or null when the form was only brought up to date or has problems. */
  proxyRequest: ProxyRequest | null;
}

/**
 * Reads the posted form: `intent=send` sends the draft, `intent=load_and_send` sends the preset as it opens,
 * `intent=buy` leaves for the card payment, any other button only brings the page up to date. Without a request to send, the page says what is in the way.
 */
export async function readBuilderPost(request: Request, form: FormData): Promise<BuilderPost> {
  const { preset, documented } = findChosenPreset(new URL(request.url).searchParams);
  const template = readTemplate(preset, documented);
  const intent = form.get("intent");
  if (intent === "use_form") form.delete("body");
  const loading = intent === "load_and_send";
  const draft = loading ? openDraft(template) : await readDraftForm(form, template);
  const remembered = await readPreferences(request);
  const bases = env().baseUrls.map(viewBaseUrl);
  const baseLabel = form.get("base") ?? remembered.base;
  const base = bases.find((option) => option.label === baseLabel) ?? viewBaseUrl(env().baseUrls[0]);
  const userId = String(form.get("user_id") ?? remembered.userId ?? "") || null;
  const wantsSend = loading || intent === "send";
  // A form sent twice carries the same key; a button outside the form stands for a new draft.
  const draftKey = String(form.get("idempotency_key") ?? randomUUID());
  const block = findSendBlock(draft);
  const problems = wantsSend && listProblems(draft, template).length > 0;
  return {
    draft,
    bodyMark: markDraft(draft, template),
    draftKey,
    attempted: wantsSend,
    buying: intent === "buy",
    presetId: preset.id,
    documented,
    base,
    userId,
    proxyRequest:
      wantsSend && !problems && block === null
        ? {
            ...buildRequest(draft, template),
            baseUrl: base.url,
            auth: { strategy: "env" },
            flags: { appendJson: base.appendJson },
            user_id: userId,
            expect_live: form.get("expect_live") === "1",
            idempotency_key: draftKey,
          }
        : null,
  };
}
