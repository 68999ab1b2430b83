import { randomUUID } from "node:crypto";
import { z } from "zod";
import { CUSTOM, type PresetCall } from "~/catalogue/types";
import { ADDRESS_VERDICTS } from "~/pieces/address-note";
import { env } from "~/platform/env.server";
import { parseJsonText } from "~/platform/http/json-body.server";
import { parsePreferences } from "~/platform/http/preferences.server";
import { parsePreviewView } from "~/print/preview/preview-view";
import { changeDraft, listCorrections } from "../draft/builder-state";
import {
  type BaseUrlView,
  type Draft,
  findDraftCall,
  isCustom,
  openPreset,
  type TeamTemplate,
} from "../draft/draft";
import { parseDraftForm } from "../draft/draft-form.server";
import { applyMode, findLiveMailType, parsePostedMode } from "../draft/mode";
import { listCurlNotes, openCurl } from "../draft/open-curl.server";
import { findChosenPreset, findPresetCall, toBaseUrlView } from "../draft/presets.server";
import { readAddress } from "../draft/read-address";
import {
  ADDRESS_PARTS,
  type AddressCheck,
  isRecipientId,
  type ListedRecipient,
  RECIPIENT_CHOICE,
  resolveRecipient,
  takeCorrections,
} from "../draft/recipients";
import { findSendBlock, listProblems } from "../draft/request";
import { buildProxyRequest } from "../send/proxy-request";

/** The Builder's form, posted without JavaScript. */
export type BuilderPost = Awaited<ReturnType<typeof parseBuilderPost>>;

/**
 * Parses the posted form. Its button is in `intent`:
 * - `send` sends the draft, `load_and_send` the preset as it opens;
 * - `send_tested` sends the tested piece live;
 * - `send_anyway` and `send_tested_anyway` do so although the send `known_duplicate` mailed the same piece;
 * - `live` and `test` switch the mode; `buy` starts the card payment; `list` makes a list of the draft;
 * - `save_template` keeps the draft as a template of the team, `delete_template` deletes that template;
 * - `template:ID` chooses a template; `paste_curl` opens a curl command;
 * - any other value only updates the page.
 * @param listed the recipients of the account, to find the ID of one who was typed by name
 */
export async function parseBuilderPost(
  request: Request,
  form: FormData,
  listed: readonly ListedRecipient[] = [],
) {
  const { preset, documented } = findChosenPreset(new URL(request.url).searchParams);
  const opened = findPresetCall(preset, documented);
  const intent = findText(form, "intent");
  const preferences = await parsePreferences(request);
  const posted = await parsePostedDraft(form, opened, preferences.base, listed);
  const { base, problems, typedName, pasted } = posted;
  const call = findDraftCall(posted.draft, opened);
  const { draft: checked, addressCheck } = parsePostedCheck(form, posted.draft);
  const { shown, ...mode } = parsePostedMode({ liveUntil: findText(form, "live_until"), intent }, Date.now());
  const draft = applyMode(checked, call, mode.until !== null);
  const shownPieceId = findText(form, "tested_piece_id");
  const testedPieceId = intent === "send_tested" || intent === "send_tested_anyway" ? shownPieceId : null;
  const attempted =
    intent === "load_and_send" || intent === "send" || intent === "send_anyway" || testedPieceId !== null;
  // Only the send of a tested piece is live; the page stays in test.
  const sent = testedPieceId === null ? draft : applyMode(draft, call, true);
  const isReady = problems.length === 0 && listProblems(sent, call, listed).length === 0;
  // Live mail is not sent while the page is in test mode.
  const isBlockedInTest =
    testedPieceId === null && (mode.ended || (mode.until === null && findLiveMailType(draft, call) !== null));
  const isSending = attempted && isReady && findSendBlock(draft) === null && !isBlockedInTest;
  const userId = String(form.get("user_id") ?? preferences.userId ?? "") || null;
  // A form sent twice has the same key. A button outside the form sends a new draft.
  const draftKey = String(form.get("idempotency_key") ?? randomUUID());
  const isAnyway = intent === "send_anyway" || intent === "send_tested_anyway";
  return {
    intent,
    draft,
    call,
    presetId: preset.id,
    documented,
    base,
    userId,
    /** The list of recipients was requested, or was already in the page that was posted. */
    loadingRecipients: intent === "load_recipients" || form.has("recipients_loaded") || typedName !== null,
    /** A saved recipient typed by name, whose ID only the list of recipients has; else null. */
    recipientName: typedName,
    /** The faults that a person allows. */
    allowedFaults: findText(form, "allowed_faults"),
    /** URL to post the form to again when the curl command belongs to another preset, else null. */
    postTo:
      pasted?.opened && (pasted.opened.presetId !== preset.id || pasted.opened.documented !== documented)
        ? `/?index&preset=${pasted.opened.presetId}${pasted.opened.documented ? "&call=documented" : ""}`
        : null,
    /** The request to send; null if nothing is to be sent or the form has problems. */
    proxyRequest: isSending
      ? buildProxyRequest(draft, call, {
          base,
          userId,
          presetId: isCustom(call) ? CUSTOM.id : preset.id,
          expectLive: shown && form.get("expect_live") === "1",
          testedPieceId,
          idempotencyKey: draftKey,
          knownDuplicateId: isAnyway ? findText(form, "known_duplicate") : null,
          addressCheck,
        })
      : null,
    /** Shown again by the page. */
    page: {
      base,
      userId,
      mode,
      draftKey,
      attempted,
      /** Files that were refused and rows that were dropped. */
      postProblems: problems,
      preview: parsePreviewView(form),
      addressCheck,
      teamTemplate: parseTeamTemplate(form),
      testedPieceId: shownPieceId,
      curl: pasted?.shown ?? null,
    },
  };
}

/** Parses the draft that the pressed button asks for: the posted one, the preset as it opens, or a pasted command's. */
async function parsePostedDraft(
  form: FormData,
  opened: PresetCall,
  preferredBase: string | undefined,
  listed: readonly ListedRecipient[],
) {
  const intent = findText(form, "intent") ?? "";
  const bases = env().baseUrls.map(toBaseUrlView);
  const baseLabel = form.get("base") ?? preferredBase;
  const givenBase = bases.find(({ label }) => label === baseLabel) ?? toBaseUrlView(env().baseUrls[0]);
  const pasted = intent === "paste_curl" ? openPasted(form, givenBase) : null;
  const { draft, problems } =
    pasted || intent === "load_and_send"
      ? { draft: pasted?.opened?.draft ?? openPreset(opened), problems: [] }
      : await parseDraftForm(form, opened);
  const chosenBase = bases.find(({ label }) => label === pasted?.opened?.baseLabel) ?? givenBase;
  const read = readAddress(applyIntent(draft, intent, listed), opened, chosenBase, bases);
  return { ...read, problems, typedName: findRecipientName(draft), pasted };
}

/** Changes the draft as the pressed button asks. A saved recipient who was typed by name becomes an ID if one is listed. */
function applyIntent(draft: Draft, intent: string, listed: readonly ListedRecipient[]): Draft {
  const [, templateId] = /^template:(\d{1,20})$/.exec(intent) ?? [];
  const name = findRecipientName(draft);
  const values = {
    ...draft.values,
    ...(templateId ? { template: templateId } : {}),
    ...(name === null ? {} : { recipient: resolveRecipient(name, listed) }),
  };
  return { ...draft, values, body: intent === "use_form" ? null : draft.body };
}

/** Finds the saved recipient of a mail form, where it is a name and not an ID. */
function findRecipientName({ values }: Draft): string | null {
  const typed = (values.recipient ?? "").trim();
  return values[RECIPIENT_CHOICE] === "saved" && typed !== "" && !isRecipientId(typed) ? typed : null;
}

const postedTemplate: z.ZodType<TeamTemplate> = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  savedAt: z.iso.datetime(),
});

function parseTeamTemplate(form: FormData): TeamTemplate | null {
  const [id, name, savedAt] = ["id", "name", "saved_at"].map((part) =>
    findText(form, `team_template_${part}`),
  );
  return postedTemplate.safeParse({ id, name, savedAt }).data ?? null;
}

/** Opens a pasted curl command as a draft, or reports the problem. */
function openPasted(form: FormData, base: BaseUrlView) {
  const command = findText(form, "curl") ?? "";
  const read = openCurl(command, base);
  if (!read.ok) return { opened: null, shown: { problem: read.failure.message, command } };
  return { opened: read.value.opened, shown: { notes: listCurlNotes(read.value.report) } };
}

/** Finds a text of the form; null without its field. */
export function findText(form: FormData, name: string): string | null {
  const value = form.get(name);
  return typeof value === "string" ? value : null;
}

const part = z.enum(ADDRESS_PARTS);
const line = z.string().max(500);

const postedCheck: z.ZodType<AddressCheck> = z.strictObject({
  address: z.record(part, line),
  verdict: z.enum(ADDRESS_VERDICTS),
  reason: line.nullable(),
  corrections: z.partialRecord(part, line),
  real: z.boolean(),
});

/**
 * Parses the address check in a form that was posted without JavaScript, or null if it cannot be parsed. With
 * `intent=use_address` its corrections are filled into the draft.
 */
export function parsePostedCheck(
  form: FormData,
  draft: Draft,
): { draft: Draft; addressCheck: AddressCheck | null } {
  const text = form.get("address_check");
  const json = typeof text === "string" ? parseJsonText(text) : null;
  const parsed = json?.ok ? postedCheck.safeParse(json.value) : null;
  const addressCheck = parsed?.data ?? null;
  if (addressCheck === null || form.get("intent") !== "use_address") return { draft, addressCheck };
  const corrected = listCorrections(addressCheck).reduce(changeDraft, draft);
  return { draft: corrected, addressCheck: takeCorrections(addressCheck) };
}
