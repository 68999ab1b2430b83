/**
 * Where pdf.js is served, unbundled: the classic compiler's esbuild breaks its classes, and a worker needs a
 * file of its own. `pdfjs-files.server.ts` answers there.
 */
export const PDFJS_PATH = "/pdfjs";

/** The two files, by what they are for. */
export const PDFJS_FILES = { page: "pdf.min.mjs", worker: "pdf.worker.min.mjs" } as const;
