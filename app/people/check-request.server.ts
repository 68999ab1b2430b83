import { findBodyLimits, type Posted, readPageForm } from "~/platform/http/body.server";
import { redirectWithFlash } from "~/platform/http/flash.server";
import { readJsonBody } from "~/platform/http/json-body.server";
import { requireValue } from "~/platform/http/replies.server";
import { isRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
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
 * {@link receivePageForm} for a page that needs a viewer: the form is not read without one.
 * @throws Response also a redirect to the page with the reason when no one is signed in
 */
export async function requirePageForm(posted: Posted): Promise<{ viewer: Viewer; form: FormData }> {
  const viewer = await requirePoster(posted);
  return { viewer, form: requireValue(await readPageForm(posted, true)) };
}

/** Finds the viewer before the form is read. @throws Response a redirect as {@link requirePageForm} does */
export async function requirePoster(posted: Posted): Promise<Viewer> {
  const viewer = await findViewer(posted.request);
  if (viewer) return viewer;
  const { pathname, search } = new URL(posted.request.url);
  throw await redirectWithFlash(pathname + search, { tone: "bad", message: SIGNED_OUT });
}
