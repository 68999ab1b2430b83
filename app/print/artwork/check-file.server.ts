import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import { checkFile } from "./check-file";
import type { FileCheck } from "./checked-file";
import { refuseUnprocessed } from "./checked-file";
import type { FileRule } from "./file-rules";
import { FILES_NOT_CHECKED } from "./messages";

/** Above this a crafted file takes longer than a hop to another thread. */
export const LARGE_FILE_BYTES = 100_000;

export const CHECK_FILE: HeavyJob<{ bytes: Uint8Array; rule: FileRule }, FileCheck> = {
  name: "artwork.file",
  run: ({ bytes, rule }) => checkFile(bytes, rule),
  isLarge: ({ bytes }) => bytes.length > LARGE_FILE_BYTES,
  notDone: FILES_NOT_CHECKED,
};

/** {@link checkFile}, in a thread of its own when the file is large. A file over the limits of work is refused. */
export async function checkFileOnServer(bytes: Uint8Array, rule: FileRule): Promise<FileCheck> {
  const checked = await doHeavyWork(CHECK_FILE, { bytes, rule });
  return checked.ok ? checked.value : refuseUnprocessed(checked.failure.message);
}
