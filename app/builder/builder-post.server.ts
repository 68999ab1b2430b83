import { randomUUID } from "node:crypto";
import { env } from "~/platform/env.server";
import { readPreferences } from "~/platform/http/preferences.server";
import { type PreviewView, parsePreviewView } from "~/print/preview/preview-view";
import type { ProxyRequest } from "~/sending/proxy-types";
import { type AddressCheck, buildAddressCheckNote } from "./address-check/check-address";
import { parsePostedCheck } from "./address-check/posted-check.schema.server";
import { findChosenPreset, selectTemplate, toBaseUrlView } from "./builder-view.server";
import { type CallTemplate, type Draft, openDraft } from "./draft";
import { parseDraftForm } from "./draft-form.server";
import { findMailKind } from "./editor/mail-kind";
import { findLiveMailType } from "./mode/mail-type";
import { applyMode, type PostedMode, parsePostedMode } from "./mode/mode";
import type { BaseUrlView } from "./request/base-url-view";
import { buildRequest, findSendBlock, listProblems, type Problem } from "./request/request";
import { buildTestedRequest, turnLive } from "./send-tested/tested-piece";

/** What the Builder's form asks for when it is posted without JavaScript. */
export interface BuilderPost {
  draft: Draft;
  mode: PostedMode;
  /** Files that were refused. */
  fileProblems: Problem[];
  /** How the proof is looked at. */
  view: PreviewView;
  /** The list is asked for, or stood in the page that was posted and is to stand in the next one. */
  loadingRecipients: boolean;
  checkingAddress: boolean;
  /** What was known of the address before. */
  addressCheck: AddressCheck | null;
  template: CallTemplate;
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
 * `intent=buy` leaves for the card payment, `live` and `test` switch the page's mode,
 * `promote` sends live what the proof of `tested_piece_id` proved, `send_anyway` and `promote_anyway` do so although the send
 * `known_duplicate` mailed the same piece, any other button only brings the page up to date. Without a request to send,
 * the page says what is in the way.
 */
export async function parseBuilderPost(request: Request, form: FormData): Promise<BuilderPost> {
  const { preset, documented } = findChosenPreset(new URL(request.url).searchParams);
  const template = selectTemplate(preset, documented);
  const intent = form.get("intent");
  if (intent === "use_form") form.delete("body");
  const loading = intent === "load_and_send";
  const promoting = intent === "promote" || intent === "promote_anyway";
  const anyway = intent === "send_anyway" || intent === "promote_anyway";
  const read = loading ? { draft: openDraft(template), problems: [] } : await parseDraftForm(form, template);
  const { draft: posted, addressCheck } = parsePostedCheck(form, read.draft);
  const ticked = form.get("field.test") === "true";
  const { shown, ...mode } = parsePostedMode(
    {
      liveUntil: getText(form, "live_until"),
      intent: getText(form, "intent"),
      testTicked: loading || findMailKind(template) === null ? null : ticked,
    },
    Date.now(),
  );
  const draft = applyMode(posted, template, mode.until !== null);
  const testedPieceId = promoting ? getText(form, "tested_piece_id") : null;
  // A promotion is live for this one send, and the page stays as it was.
  const sent = testedPieceId === null ? draft : turnLive(draft, template);
  // What page and server alike call live mail is not even asked for while the page is in test.
  const blockedInTest =
    testedPieceId === null &&
    (mode.ended || (mode.until === null && findLiveMailType(draft, template) !== null));
  const remembered = await readPreferences(request);
  const bases = env().baseUrls.map(toBaseUrlView);
  const baseLabel = form.get("base") ?? remembered.base;
  const base = bases.find((option) => option.label === baseLabel) ?? toBaseUrlView(env().baseUrls[0]);
  const userId = String(form.get("user_id") ?? remembered.userId ?? "") || null;
  const wantsSend = loading || intent === "send" || intent === "send_anyway" || testedPieceId !== null;
  // A form sent twice carries the same key; a button outside the form stands for a new draft.
  const draftKey = String(form.get("idempotency_key") ?? randomUUID());
  const block = findSendBlock(draft);
  const problems = wantsSend && (read.problems.length > 0 || listProblems(sent, template).length > 0);
  return {
    draft,
    mode,
    fileProblems: read.problems,
    view: parsePreviewView(form),
    loadingRecipients: intent === "load_recipients" || form.has("recipients_loaded"),
    checkingAddress: intent === "check_address",
    addressCheck,
    template,
    draftKey,
    attempted: wantsSend,
    buying: intent === "buy",
    presetId: preset.id,
    documented,
    base,
    userId,
    proxyRequest:
      wantsSend && !problems && block === null && !blockedInTest
        ? {
            ...(testedPieceId === null ? buildRequest(draft, template) : buildTestedRequest(draft, template)),
            baseUrl: base.url,
            auth: { strategy: "env" },
            flags: { appendJson: base.appendJson },
            user_id: userId,
            expect_live: testedPieceId !== null || (shown && form.get("expect_live") === "1"),
            ...(testedPieceId === null ? { idempotency_key: draftKey } : { tested_piece_id: testedPieceId }),
            known_duplicate: anyway ? getText(form, "known_duplicate") : null,
            endpoint_preset: preset.id,
            ...buildAddressCheckNote(addressCheck, draft),
          }
        : null,
  };
}

function getText(form: FormData, name: string): string | null {
  const value = form.get(name);
  return typeof value === "string" ? value : null;
}
