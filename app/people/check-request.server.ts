import { readJsonBody } from "~/platform/http/body.server";
import { findBodyLimits, type Posted } from "~/platform/http/body-limits.server";
import { redirectWithFlash } from "~/platform/http/flash.server";
import { addIdempotencyKey } from "~/platform/http/idempotency-key.server";
import { readPageForm } from "~/platform/http/page-form.server";
import { requireValue } from "~/platform/http/replies.server";
import { SIGNED_OUT } from "./messages";
import { findViewer, requireViewer, type Viewer } from "./viewer.server";

/**
 * The first line of a JSON route's action: who calls, and what with. The gate has checked method, origin and type.
 * @throws Response 401 when no one is signed in; 413 or 400 when the body cannot be taken
 */
export async function requireJson(posted: Posted): Promise<{ viewer: Viewer; body: unknown }> {
  const viewer = await requireViewer(posted.request, posted.context.scope);
  const body = requireValue(await readJsonBody(posted.request, findBodyLimits(posted).knownBytes));
  return { viewer, body };
}

/**
 * {@link requireJson} where the body may have an `idempotency_key`: the header `Idempotency-Key` counts as that field.
 * @throws Response also 400 when the two differ
 */
export async function requireKeyedJson(posted: Posted): Promise<{ viewer: Viewer; body: unknown }> {
  const { viewer, body } = await requireJson(posted);
  return { viewer, body: requireValue(addIdempotencyKey(posted.request.headers, body)) };
}

/**
 * The first line of the action of a page that shows a form again as it was: who posts, null when no one is signed in,
 * and which form. Without a viewer the form may have less.
 * @throws Response 413 or 400 when the form cannot be taken
 */
export async function receivePageForm(posted: Posted): Promise<{ viewer: Viewer | null; form: FormData }> {
  const viewer = await findViewer(posted.request);
  return { viewer, form: await takeForm(posted, viewer) };
}

/**
 * The same for a page that does nothing without a viewer: the form of anybody else is not read.
 * @throws Response also a redirect to the same page, which then says that nothing was done, when no one is signed in
 */
export async function requirePageForm(posted: Posted): Promise<{ viewer: Viewer; form: FormData }> {
  const viewer = await requirePoster(posted);
  return { viewer, form: await takeForm(posted, viewer) };
}

/**
 * Who posts a form to such a page, before it is read.
 * @throws Response a redirect as {@link requirePageForm} does
 */
export async function requirePoster(posted: Posted): Promise<Viewer> {
  const viewer = await findViewer(posted.request);
  if (viewer) return viewer;
  const { pathname, search } = new URL(posted.request.url);
  throw await redirectWithFlash(pathname + search, { tone: "bad", message: SIGNED_OUT });
}

async function takeForm(posted: Posted, viewer: Viewer | null): Promise<FormData> {
  return requireValue(await readPageForm(posted, viewer !== null));
}
