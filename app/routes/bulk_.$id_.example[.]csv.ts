import type { LoaderFunctionArgs } from "@remix-run/node";
import { writeExample } from "~/bulk/import/import-list.server";
import { requireViewer } from "~/people/viewer.server";
import { replyFile } from "~/platform/http/replies.server";

/** Downloads an example file with two people and the columns of a list. */
export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  await requireViewer(request);
  return replyFile(await writeExample(params.id ?? ""), "text/csv", "example.csv");
}
