import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { replyJson } from "~/platform/http/replies.server";
import { waitForSaved } from "~/responses/save/auto-save.server";

const LIMIT_MS = 2_500;

/** Tells the Builder whether the answer it shows was saved by itself; asked right after it was given. */
export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request);
  return replyJson({ saved: await waitForSaved(params.id ?? "", LIMIT_MS) });
}
