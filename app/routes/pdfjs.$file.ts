import type { LoaderFunctionArgs } from "@remix-run/node";
import { replyPdfjsFile } from "~/ui/pdf/pdfjs-files.server";

/** Serves pdf.js, which pages load when they show a PDF. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<Response> {
  return (await replyPdfjsFile(params.file ?? "", request)) ?? new Response("Not found", { status: 404 });
}
