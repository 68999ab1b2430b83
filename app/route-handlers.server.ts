import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { requireJson, requireKeyedJson, requirePageForm } from "./people/check-request.server";
import { requirePageViewer, requireViewer, type Viewer } from "./people/viewer.server";
import {
  replyFile,
  replyJson,
  replyPdf,
  replyPlainFailure,
  requireValue,
} from "./platform/http/replies.server";
import type { Outcome } from "./platform/outcome";

/**
 * Makers of loaders and actions for signed-in callers. Each checks the caller and reads the body, then calls its function, and
 * replies with the result.
 */

type Arguments = LoaderFunctionArgs | ActionFunctionArgs;

/** A request of a signed-in caller. */
type Call = Arguments & {
  viewer: Viewer;
  /** `$id` in the address; "" when it has none. */
  id: string;
  query: URLSearchParams;
  now: Date;
};

function toCall(args: Arguments, viewer: Viewer): Call {
  const query = new URL(args.request.url).searchParams;
  return { ...args, viewer, id: args.params.id ?? "", query, now: new Date() };
}

/** Makes the loader of a page. Redirects others to the login, which returns to the page. */
export function pageLoader<Data>(load: (call: Call) => Promise<Data>) {
  return async (args: LoaderFunctionArgs) => load(toCall(args, await requirePageViewer(args.request)));
}

/** Makes the action of a page's forms. Redirects others to the page, with the reason. */
export function pageAction<Data>(act: (call: Call & { form: FormData }) => Promise<Data>) {
  return async (args: ActionFunctionArgs) => {
    const { viewer, form } = await requirePageForm(args);
    return act({ ...toCall(args, viewer), form });
  };
}

/** Makes a loader or action that replies with JSON: a value as `{ success: true, data }`, a reply as it is. */
export function jsonRoute(work: (call: Call) => Promise<Outcome<unknown> | Response>) {
  return async (args: Arguments) =>
    replyWith(await work(toCall(args, await requireViewer(args.request, args.context.scope))));
}

type WithBody = (call: Call & { body: unknown }) => Promise<Outcome<unknown> | Response>;

/** {@link jsonRoute} with a JSON body. */
export function jsonBodyRoute(work: WithBody) {
  return async (args: ActionFunctionArgs) => {
    const { viewer, body } = await requireJson(args);
    return replyWith(await work({ ...toCall(args, viewer), body }));
  };
}

/** {@link jsonBodyRoute}, with the header `Idempotency-Key` as the body's `idempotency_key`. */
export function keyedBodyRoute(work: WithBody) {
  return async (args: ActionFunctionArgs) => {
    const { viewer, body } = await requireKeyedJson(args);
    return replyWith(await work({ ...toCall(args, viewer), body }));
  };
}

function replyWith(done: Outcome<unknown> | Response): Response {
  return done instanceof Response ? done : replyJson({ success: true, data: requireValue(done) });
}

/** Makes the loader of a file to download. */
export function fileLoader(
  mediaType: string,
  name: string,
  stream: (call: Call) => Promise<Outcome<ReadableStream>>,
) {
  return jsonRoute(async (call) => replyFile(await stream(call), mediaType, name));
}

/** Makes the loader of a PDF, which the browser shows in place. */
export function pdfLoader(load: (call: Call) => Promise<Outcome<Uint8Array<ArrayBuffer>>>) {
  return pageLoader(async (call) => {
    const file = await load(call);
    return file.ok ? replyPdf(file.value) : replyPlainFailure(file.failure);
  });
}
