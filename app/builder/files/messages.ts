import { formatFileName } from "~/print/messages";

/** What a file field says. */

export const CHOOSE_FILE = "Drop, paste or choose a file.";

export const FILE_CHECK_NOT_LOADED =
  "The file check could not be loaded. Check the connection and choose the file again.";
export const DROP_FILE = "Drop the file to attach it.";

/** Without JavaScript: above the browser's own control, which then says that no file is chosen. */
export function formatKeptFile(name: string): string {
  return `${formatFileName(name)} is attached. Choose a file only to replace it.`;
}

export function formatManyFiles(count: number): string {
  return `You chose ${count} files. Choose one: nothing was attached.`;
}
