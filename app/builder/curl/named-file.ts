/** A file that the command names. The reopened body has a place for it. */
export interface NamedFile {
  elided: "base64";
  bytes: number;
  name: string;
}

export function toNamedFile(path: string): NamedFile {
  const name = path.split(/[/\\]/).at(-1) || "the file";
  return { elided: "base64", bytes: 0, name };
}
