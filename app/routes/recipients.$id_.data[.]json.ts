import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { replyFailure, replyJson } from "~/platform/http/replies.server";
import { loadPersonData } from "~/privacy/erase-person.server";

/** All that is kept about a person, as a file to hand to them. */
export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request);
  const found = await loadPersonData(params.id ?? "");
  if (!found.ok) return replyFailure(found.failure);
  return replyJson(found.value, 200, { "Content-Disposition": 'attachment; filename="personal-data.json"' });
}
