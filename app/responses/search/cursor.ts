/** Where a list of stored responses goes on: behind this row, newest first. */
export interface Cursor {
  createdAt: Date;
  id: string;
}

/** As an address has it. */
export function writeCursor({ createdAt, id }: Cursor): string {
  return `${createdAt.getTime().toString(36)}.${id}`;
}

/** A cursor that a list gave; null for any other text. */
export function readCursor(text: string): Cursor | null {
  const [, time = "", id = ""] = /^([0-9a-z]{1,9})\.([\w-]{1,64})$/.exec(text) ?? [];
  if (time === "") return null;
  const createdAt = new Date(Number.parseInt(time, 36));
  return Number.isNaN(createdAt.getTime()) || createdAt.getUTCFullYear() > 9998 ? null : { createdAt, id };
}
