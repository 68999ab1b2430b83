import { findBodyLimits, type Posted, readPageForm } from "~/platform/http/body.server";
import { readJsonBody } from "~/platform/http/json-body.server";
import { replyFailure, requireValue } from "~/platform/http/replies.server";
import { isRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { KeptForm } from "./kept-form";
import { SIGNED_OUT } from "./messages";
import { findViewer, requireViewer, type Viewer } from "./viewer.server";

const KEYS_DIFFER =
  "The header Idempotency-Key and the field idempotency_key differ. Nothing was done. Send one of them, or the same twice.";

/**
 * Reads the caller and the body of a JSON route. The gate has checked method, origin and type.
 * @throws Response 401 when no one is signed in; 413 or 400 when the body cannot be read
 */
export async function requireJson(posted: Posted): Promise<{ viewer: Viewer; body: unknown }> {
  const viewer = await requireViewer(posted.request, posted.context.scope);
  const body = requireValue(await readJsonBody(posted.request, findBodyLimits(posted).knownBytes));
  return { viewer, body };
}

/** {@link requireJson}, with the header `Idempotency-Key` as a field of the body. @throws Response also 400 when both differ */
export async function requireKeyedJson(posted: Posted): Promise<{ viewer: Viewer; body: unknown }> {
  const { viewer, body } = await requireJson(posted);
  return { viewer, body: requireValue(addIdempotencyKey(posted.request.headers, body)) };
}

/** Copies the key of the header, quoted or not, to the body's `idempotency_key`. Fails when the body has another key. */
function addIdempotencyKey(headers: Headers, body: unknown): Outcome<unknown> {
  const header = headers.get("Idempotency-Key")?.trim();
  if (!header || !isRecord(body)) return succeed(body);
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  const { idempotency_key: bodyKey } = body;
  if (bodyKey !== undefined && bodyKey !== null && bodyKey !== key) return fail("bad_input", KEYS_DIFFER);
  return succeed({ ...body, idempotency_key: key });
}

/**
 * Reads the viewer and the form of a page that shows the form again. The viewer is null when no one is signed in; the
 * form's limits are lower then.
 * @throws Response 413 or 400 when the form cannot be read
 */
export async function receivePageForm(posted: Posted): Promise<{ viewer: Viewer | null; form: FormData }> {
  const viewer = await findViewer(posted.request);
  return { viewer, form: requireValue(await readPageForm(posted, viewer !== null)) };
}

/**
 * {@link receivePageForm} for a page that needs a viewer.
 * @throws Response also {@link refuseSignedOut} when no one is signed in
 */
export async function requirePageForm(posted: Posted): Promise<{ viewer: Viewer; form: FormData }> {
  const { viewer, form } = await receivePageForm(posted);
  if (!viewer) throw refuseSignedOut(posted.request, form);
  return { viewer, form };
}

/** Replies 401 with the form, so that the page of the error keeps it until the person has logged in. A page cannot hold a file. */
export function refuseSignedOut(request: Request, form: FormData): Response {
  const { pathname, search } = new URL(request.url);
  const fields = [...form].flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  const kept: KeptForm = { action: pathname + search, fields };
  const hasFile = [...form.values()].some((value) => value instanceof File && value.size > 0);
  return replyFailure({ code: "signed_out", message: SIGNED_OUT }, {}, hasFile ? {} : { kept });
}
