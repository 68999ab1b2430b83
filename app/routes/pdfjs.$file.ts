import type { LoaderFunctionArgs } from "@remix-run/node";
import { replyPdfjsFile } from "~/ui/pdf/pdfjs-files.server";

/** PDF.js as its package has it: the compiler cannot bundle it, and pages load it only when a PDF is shown. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<Response> {
  return (await replyPdfjsFile(params.file ?? "", request)) ?? new Response("Not found", { status: 404 });
}
