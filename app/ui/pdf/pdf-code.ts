/**
 * Where pdf.js is served, unbundled: the classic compiler's esbuild breaks its classes, and a worker needs a
 * file of its own. `pdf-code.server.ts` answers there.
 */
export const PDF_CODE_PATH = "/pdfjs";

/** The two files, by what they are for. */
export const PDF_CODE_FILES = { page: "pdf.min.mjs", worker: "pdf.worker.min.mjs" } as const;
