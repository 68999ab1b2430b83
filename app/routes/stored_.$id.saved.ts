import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { replyJson } from "~/platform/http/replies.server";
import { waitForSaved } from "~/responses/save/save-in-background.server";

const LIMIT_MS = 2_500;

/** Waits until the answer that the Builder shows was saved automatically. */
export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request);
  return replyJson({ saved: await waitForSaved(params.id ?? "", LIMIT_MS) });
}
