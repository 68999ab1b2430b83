import type { LoaderFunctionArgs } from "@remix-run/node";
import { replyJsonPathWorker } from "~/ui/json/json-path-file.server";

/** The thread that filters answers by JSONPath: a page loads it with its first filter. */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  return replyJsonPathWorker(request);
}
