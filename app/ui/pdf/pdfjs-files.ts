/**
 * Path of pdf.js, which `pdfjs-files.server.ts` serves unbundled: it is minified already, and its worker needs a separate file
 * of the same version.
 */
export const PDFJS_PATH = "/pdfjs";

export const PDFJS_FILES = { page: "pdf.min.mjs", worker: "pdf.worker.min.mjs" } as const;
