import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireViewer } from "~/people/viewer.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";
import { loadExport } from "~/privacy/person-page.server";

/** Downloads everything stored about a person and the ticked records. */
export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request);
  const ticked = new URL(request.url).searchParams.getAll("match");
  const found = requireValue(await loadExport(params.id ?? "", ticked));
  return replyJson(found, 200, { "Content-Disposition": 'attachment; filename="personal-data.json"' });
}
