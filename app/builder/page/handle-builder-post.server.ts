import { randomUUID } from "node:crypto";
import { importList, takeRecipient } from "~/bulk/import/import-list.server";
import { createList } from "~/bulk/list-record.server";
import { MAIL_PRICES } from "~/catalogue/prices";
import { pieceNeedsApproval } from "~/credits/approval-limit.server";
import { findHome } from "~/outside/mail-provider/account-home";
import { SEND_SIGNED_OUT } from "~/people/messages";
import type { Viewer } from "~/people/viewer.server";
import { findReturned } from "~/pieces/returned-mail.server";
import { findTestedOffer } from "~/pieces/tested/tested-piece.server";
import { withDatabase } from "~/platform/database/database.server";
import { sha256 } from "~/platform/hash.server";
import type { Preferences } from "~/platform/http/preferences.server";
import { statusOf } from "~/platform/http/replies.server";
import { isRecord, parseRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { buildAddress } from "~/platform/url";
import { readPdfOnServer } from "~/print/artwork/check-file.server";
import { toCameBack } from "~/print/layout/finding";
import { listFindings } from "~/print/layout/findings";
import { toProxyResponse } from "~/proxy/format-answer.server";
import type { ProxyRequest } from "~/proxy/send-request.schema.server";
import { sendForm } from "~/proxy/send-request.server";
import { parseAddressee } from "~/recipients/addressee.server";
import { waitForSaved } from "~/responses/save/save-in-background.server";
import { changeDraft } from "../draft/builder-state";
import { findMailKind, isRecipientField, type TeamTemplate } from "../draft/draft";
import { hashDraftBody } from "../draft/draft-form.server";
import { FAULT_NOT_ALLOWED } from "../draft/messages";
import { parkDraft } from "../draft/parked-draft.server";
import { type ListedRecipient, type LoadedList, listRows, parseAddress } from "../draft/recipients";
import {
  buildBody,
  buildListBody,
  fillPath,
  hasInvalidBody,
  listProblems as listFormProblems,
  type Problem,
} from "../draft/request";
import { deleteTeamTemplate, saveTeamTemplate } from "../draft/team-template.server";
import { parseCodeChoice } from "../forms/code/code-panel";
import type { ProviderTemplate } from "../forms/form-context";
import { findJsonProblem } from "../forms/json-problem";
import { buildState } from "../forms/mail-preview";
import { MAX_NAME_CHARS, TEMPLATE_NAME } from "../forms/team-template-form";
import { type Answer, isRefused, toAnswer } from "../send/answer";
import { checkAddress } from "../send/check-address";
import { loadRecipients, loadTemplates } from "../send/provider-list";
import { formatRuins } from "../send/use-faults";
import { type BuilderPost, findText, parseBuilderPost } from "./builder-post.server";
import { drawFirstLetter, showCode } from "./load-builder-page.server";

const NAME_NEEDED = `Give the template a name of at most ${MAX_NAME_CHARS} characters`;

/** Time that a page without JavaScript waits for its answer to be stored. */
const SAVED_WAIT_MS = 2_000;

/** Another address to go to, or to post the same form to; or the page again with the outcome of the post and the choices to remember. */
type BuilderPostResult = { goTo: string } | { postTo: string } | { page: Posted; choices: Preferences };

/** A form that was posted without JavaScript: it is shown again, with the answer. */
export type Posted = Awaited<ReturnType<typeof applyBuilderPost>>["page"];

/**
 * Handles the Builder's form, posted without JavaScript. Whatever is sent ends as an answer beside the form, so that
 * nothing typed is lost. Fails only when a draft cannot be parked for a payment.
 */
export async function handleBuilderPost(
  request: Request,
  form: FormData,
  viewer: Viewer | null,
): Promise<Outcome<BuilderPostResult>> {
  const posted = await parseBuilderPost(request, form);
  if (posted.postTo !== null) return succeed({ postTo: posted.postTo });
  if (posted.intent === "buy" && viewer) return parkForPayment(posted, viewer);
  const listProblems = posted.intent === "list" ? findListProblems(posted) : [];
  if (posted.intent === "list" && viewer && listProblems.length + posted.page.postProblems.length === 0) {
    return makeList(posted, viewer);
  }
  const { base, userId } = posted;
  const ask = (call: ProxyRequest) => send(call, viewer);
  const [recipients, providerTemplates] = await Promise.all([
    posted.loadingRecipients && viewer ? loadRecipients(base.url, userId, ask) : null,
    posted.intent === "load_templates" && viewer ? loadTemplates(base.url, userId, ask) : null,
  ]);
  // A recipient typed by name is found only in the list.
  const post =
    posted.recipientName === null ? posted : await parseBuilderPost(request, form, listRows(recipients));
  return succeed(await applyBuilderPost(post, form, viewer, listProblems, recipients, providerTemplates));
}

/** Does what the pressed button asks, and returns the page with the outcome. */
async function applyBuilderPost(
  post: BuilderPost,
  form: FormData,
  viewer: Viewer | null,
  listProblems: Problem[],
  recipients: LoadedList<ListedRecipient> | null,
  providerTemplates: LoadedList<ProviderTemplate> | null,
) {
  const { intent, page, base, call } = post;
  const listed = listRows(recipients);
  const faults = await findFaults(post, listed, viewer);
  const isFaulty = post.proxyRequest?.expect_live === true && faults !== "" && post.allowedFaults !== faults;
  const answer = post.proxyRequest && !isFaulty ? await send(post.proxyRequest, viewer) : null;
  const kept = await changeTeamTemplate(post, findText(form, TEMPLATE_NAME), viewer);
  const draft = recipients
    ? changeDraft(post.draft, { type: "recipients", some: listed.length > 0 })
    : post.draft;
  const responseId = answer?.response?.pending ? undefined : answer?.response?.response_id;
  return {
    page: {
      ...page,
      initialDraft: draft,
      draftKey: answer && isRefused(answer) ? randomUUID() : page.draftKey,
      bodyHash: hashDraftBody(draft, call),
      answer,
      postProblems: [
        ...page.postProblems,
        ...listProblems,
        ...(kept?.ok === false
          ? [{ field: TEMPLATE_NAME, message: kept.failure.message.replace(/\.$/, "") }]
          : []),
        ...(isFaulty ? [{ field: null, message: FAULT_NOT_ALLOWED }] : []),
      ],
      /** Faults that ruin the piece; "" without one. */
      faults,
      teamTemplate: kept?.ok ? kept.value : page.teamTemplate,
      /** The tested piece of a send that was refused for such a fault. */
      ...(isFaulty && viewer && page.testedPieceId
        ? { tested: await findTestedOffer(page.testedPieceId, viewer.id) }
        : {}),
      letter: await drawFirstLetter(draft, call, base, viewer, listed),
      recipients,
      providerTemplates,
      /** The response is already saved. */
      autoSaved: responseId !== undefined && (await waitForSaved(responseId, SAVED_WAIT_MS)),
      addressCheck:
        intent === "check_address"
          ? await checkAddress(parseAddress(post.draft.values), post, (call) => send(call, viewer))
          : page.addressCheck,
      /** The JSON syntax error of the body edited by hand. */
      bodyProblem: hasInvalidBody(draft) ? findJsonProblem(draft.body ?? "") : null,
      /** Set only when requested: a program may be as long as its request. */
      code:
        intent === "code"
          ? showCode(
              { draft, call, base, payerId: post.userId === viewer?.id ? null : post.userId },
              parseCodeChoice(form.get("code_language"), form.get("code_target")),
            )
          : null,
    },
    choices: {
      base: base.label,
      appendJson: base.appendJson,
      ...(post.userId ? { userId: post.userId } : {}),
    },
  };
}

/** Keeps the draft as a template of the team, or deletes it; null when neither was requested. */
async function changeTeamTemplate(
  { intent, draft, call, presetId, documented, base, page: { teamTemplate } }: BuilderPost,
  posted: string | null,
  viewer: Viewer | null,
): Promise<Outcome<TeamTemplate | null> | null> {
  if (intent !== "save_template" && intent !== "delete_template") return null;
  if (!viewer)
    return fail("signed_out", "You are logged out and nothing was kept. Log in, then keep it again");
  if (intent === "delete_template") {
    const deleted = teamTemplate && (await deleteTeamTemplate(teamTemplate));
    return deleted?.ok ? succeed(null) : deleted;
  }
  const name = (posted ?? "").trim();
  const mailType = findMailKind(call);
  if (mailType === null || draft.body !== null)
    return fail("bad_input", "Only the form of a postcard or letter can be kept as a template");
  if (name === "" || name.length > MAX_NAME_CHARS) return fail("bad_input", NAME_NEEDED);
  const choices = { presetId, documented, baseLabel: base.label, draft };
  return saveTeamTemplate(viewer.id, name, mailType, choices, teamTemplate);
}

/** Finds the faults that ruin the piece. PDFs are read only before a send. */
async function findFaults(
  { draft, call, base, proxyRequest }: BuilderPost,
  listed: readonly ListedRecipient[],
  viewer: Viewer | null,
): Promise<string> {
  const kind = findMailKind(call);
  if (!kind) return "";
  const state = buildState(kind, draft, listed, findHome(base));
  const { key } = parseAddressee({ recipient: state.recipient });
  const recipientId = state.recipientId || null;
  const returned = viewer && (await withDatabase((db) => findReturned(db, { key, recipientId }, base.url)));
  const pdf = viewer && proxyRequest ? await readPdfOnServer(kind, draft.values) : null;
  return formatRuins([
    ...(returned?.ok && returned.value ? [toCameBack(returned.value)] : []),
    ...listFindings(state, null, pdf),
  ]);
}

/** Texts whose placeholders the rows of a list fill. */
const FILLED_BY_ROWS = ["message", "content"];

/** Lists the problems of a draft as a list template, which needs no recipient and no placeholder values. */
function findListProblems({ draft, call }: BuilderPost): Problem[] {
  if (findMailKind(call) === null || hasInvalidBody(draft)) {
    return [{ field: null, message: "Only a postcard or letter can be sent to a list." }];
  }
  return listFormProblems(draft, call).filter(
    ({ field }) => field === null || !(isRecipientField(field) || FILLED_BY_ROWS.includes(field)),
  );
}

/**
 * Makes the draft the template of a new list, whose page asks for recipients. A piece that needs approval takes its
 * recipient along, so that its list can be approved at once.
 */
async function makeList(
  { draft, call, base, presetId, userId }: BuilderPost,
  viewer: Viewer,
): Promise<Outcome<BuilderPostResult>> {
  const mailType = findMailKind(call) ?? "letter";
  const files = Object.entries(draft.files).map(([field, { name }]) => [field, name]);
  const listTemplate = {
    baseUrl: base.url,
    home: findHome(base),
    path: fillPath(draft),
    presetId,
    body: buildListBody(draft, call),
    files: Object.fromEntries(files),
  };
  const created = await createList({ template: listTemplate, mailType, userId }, viewer);
  if (!created.ok) return created;
  // A saved recipient is only an ID.
  const { recipient } = parseRecord(buildBody(draft, call, true));
  if (isRecord(recipient) && pieceNeedsApproval(MAIL_PRICES[mailType])) {
    await importList(created.value, "One recipient", takeRecipient(recipient), viewer);
  }
  return succeed({ goTo: `/bulk/${created.value}` });
}

async function parkForPayment(post: BuilderPost, viewer: Viewer): Promise<Outcome<BuilderPostResult>> {
  const { presetId, documented, draft, userId, base, page } = post;
  const choices = { presetId, documented, draft, userId, baseLabel: base.label };
  const parked = await parkDraft(viewer.id, { ...choices, testedPieceId: page.testedPieceId });
  if (!parked.ok) return parked;
  const goTo = buildAddress("/users", { view: "purchase", draft: parked.value, user_id: userId });
  return succeed({ goTo });
}

async function send(proxyRequest: ProxyRequest, viewer: Viewer | null): Promise<Answer> {
  const sent = viewer ? await sendForm(proxyRequest, viewer) : fail("signed_out", SEND_SIGNED_OUT);
  if (sent.ok) return toAnswer(sent.value.httpStatus, toProxyResponse(sent.value));
  const { failure } = sent;
  if (failure.code === "key_reused") {
    // The form was changed since its page was sent. The same content has the same key again.
    const content = sha256(JSON.stringify(proxyRequest)).slice(0, 16);
    return send({ ...proxyRequest, idempotency_key: `${proxyRequest.idempotency_key}.${content}` }, viewer);
  }
  return { kind: "failed", message: failure.message, response: null, httpStatus: statusOf(failure) };
}
