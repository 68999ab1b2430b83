/**
 * Where pdf.js is served. It is not bundled: it comes minified, and its worker needs a file of its own of the
 * same version. `pdfjs-files.server.ts` serves it.
 */
export const PDFJS_PATH = "/pdfjs";

/** The two files by purpose. */
export const PDFJS_FILES = { page: "pdf.min.mjs", worker: "pdf.worker.min.mjs" } as const;
