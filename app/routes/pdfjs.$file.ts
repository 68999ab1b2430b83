import type { LoaderFunctionArgs } from "@remix-run/node";
import { replyPdfCode } from "~/ui/pdf/pdf-code.server";

/** PDF.js as its package has it: the compiler cannot bundle it, and the proof loads it only when needed. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<Response> {
  return (await replyPdfCode(params.file ?? "", request)) ?? new Response("Not found", { status: 404 });
}
