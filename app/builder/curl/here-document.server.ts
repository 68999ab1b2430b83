import { toNamedFile } from "./named-file";

const START = /<<-?[ \t]*(?:'(\w+)'|"(\w+)"|(\w+))/;
/** What the shell fills in: a file as our own samples write it, and what a backslash keeps as it is. */
const FILLED = /"\$\(base64 < '((?:[^'\n]|'\\'')*)' \| tr -d '\\n'\)"|\\([\\$`])/g;

/** The lines that a command reads as its input (`--data @- <<EOF`), and the command without them. */
export function takeHereDocument(text: string): { command: string; document: string | null } {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => START.test(line));
  const [start = "", inSingle, inDouble, plain] = START.exec(lines[at] ?? "") ?? [];
  const mark = inSingle ?? inDouble ?? plain;
  const end = lines.findIndex((line, number) => number > at && line.trim() === mark);
  if (end === -1) return { command: text, document: null };
  const content = lines.slice(at + 1, end).join("\n");
  const command = [...lines.slice(0, at), (lines[at] ?? "").replace(start, ""), ...lines.slice(end + 1)];
  return {
    command: command.join("\n"),
    document: plain === undefined ? content : content.replace(FILLED, fillIn),
  };
}

function fillIn(_: string, path: string | undefined, sign = ""): string {
  return path === undefined ? sign : JSON.stringify(toNamedFile(path.replaceAll("'\\''", "'")));
}
