import { type ParseArgsConfig, parseArgs } from "node:util";
import { split } from "shlex";
import { formatInteger } from "~/platform/format-integer";
import { fail, type Outcome, succeed } from "~/platform/outcome";

export const CURL_PROBLEMS = {
  empty: "Paste a curl command first.",
  notCurl: "It does not begin with curl.",
  quotes: "A quote is not closed. Copy the whole command.",
  curlyQuotes: "Its quotes are curly. Write straight ones instead.",
  windows: "It is written for the Windows prompt. Copy it as cURL (bash) instead.",
  noUrl: "It has no web address.",
  badUrl: "Its web address cannot be read.",
};

/** @param places of the credentials: "-u", "api_key in the body" */
export function formatKeyDropped(places: readonly string[]): string {
  return `The key was dropped (${places.join(", ")}). The server adds its own key.`;
}

/** A longer command is not read: files belong into the form. */
export const CURL_CHARS = 100_000;

export interface CurlCommand {
  url: URL;
  /** From `-X`; null when the other options decide. */
  method: string | null;
  /** In the order in which they were written. */
  options: { name: string; value: string }[];
}

/** Curl's options that take a value, with their letter. Any other option is a switch. */
const WITH_VALUE = `
  request:X header:H data:d data-raw data-ascii data-binary data-urlencode json form:F form-string url url-query
  user:u oauth2-bearer cookie:b cookie-jar:c user-agent:A referer:e upload-file:T output:o output-dir write-out:w
  dump-header:D max-time:m connect-timeout retry retry-delay retry-max-time proxy:x proxy-user:U cacert cert:E key
  ciphers tls-max resolve interface range:r limit-rate max-redirs config:K aws-sigv4`;

const OPTIONS: NonNullable<ParseArgsConfig["options"]> = {
  get: { type: "boolean", short: "G" },
  head: { type: "boolean", short: "I" },
};
for (const option of WITH_VALUE.trim().split(/\s+/)) {
  const [name = "", short] = option.split(":");
  OPTIONS[name] = { type: "string", multiple: true, ...(short ? { short } : {}) };
}

/** Shell tokens that end a command. */
const ENDS = new Set(["|", "||", "&&", ";", "&", ">", ">>", "2>", "<"]);

/** Words allowed before a command: a prompt, variables, and commands that run another one. */
const BEFORE = /^(?:\$|sudo|time|\w+=.*)$/s;

/** Takes a curl command apart as a shell and curl would. Variables stay as they are written. Fails with `bad_input`. */
export function parseCurl(text: string): Outcome<CurlCommand> {
  const refuse = (why: string) => fail("bad_input", why);
  if (text.trim() === "") return refuse(CURL_PROBLEMS.empty);
  if (text.length > CURL_CHARS)
    return refuse(
      `It is longer than ${formatInteger(CURL_CHARS)} characters. Leave the files out and choose them in the form.`,
    );
  if (/\^"|\^\r?\n/.test(text)) return refuse(CURL_PROBLEMS.windows);
  const { command, document } = takeHereDocument(text.replaceAll("\r\n", "\n"));
  const words = splitWords(command);
  if (words === null) return refuse(CURL_PROBLEMS.quotes);
  const start = words.findIndex((word) => !BEFORE.test(word));
  const [name = "", ...rest] = words.slice(start);
  if (!/^(?:.*\/)?curl(?:\.exe)?$/.test(name)) return refuse(CURL_PROBLEMS.notCurl);
  if (rest.some((word) => /^[“”‘’]/.test(word))) return refuse(CURL_PROBLEMS.curlyQuotes);
  const end = rest.findIndex((word) => ENDS.has(word));
  const args = end === -1 ? rest : rest.slice(0, end);
  const { tokens } = parseArgs({
    args,
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const options = tokens.flatMap((token) =>
    token.kind === "option" ? [readInput(token.name, token.value ?? "", document)] : [],
  );
  const places = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const address = options.find(({ name }) => name === "url")?.value ?? places.find(isAddress);
  if (!address) return refuse(CURL_PROBLEMS.noUrl);
  const url = parseUrl(address);
  if (!url) return refuse(CURL_PROBLEMS.badUrl);
  const method = options.findLast(({ name }) => name === "request")?.value.toUpperCase() ?? null;
  return succeed({ url, method, options });
}

/** Resolves an option that reads stdin to the here-document. */
function readInput(name: string, value: string, document: string | null) {
  const reads = document !== null && value === "@-" && /^(?:data|json)/.test(name);
  return reads ? { name: name === "json" ? name : "data-raw", value: document } : { name, value };
}

/** Splits the words of a command, without comments above it and a terminal's prompts; null when a quote is open at its end. */
function splitWords(text: string): string[] | null {
  try {
    const lines = text.replace(/^(?:\s*#.*\n)+/, "");
    return split(lines.replace(/\\\n(?:>[ \t])?/g, " "));
  } catch {
    return null;
  }
}

function isAddress(word: string): boolean {
  return /^https?:\/\//i.test(word) || /^[\w.-]+(?::\d+)?\//.test(word) || /^[\w-]+(\.[\w-]+)+/.test(word);
}

/** Curl takes an address without a scheme, and braces as they are. */
function parseUrl(address: string): URL | null {
  try {
    const url = new URL(/^[a-z]+:\/\//i.test(address) ? address : `https://${address}`);
    return /^https?:$/.test(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

const START = /<<-?[ \t]*(?:'(\w+)'|"(\w+)"|(\w+))/;
/** Parts that the shell replaces: a file in the form of our samples, and characters after a backslash. */
const FILLED = /"\$\(base64 < '((?:[^'\n]|'\\'')*)' \| tr -d '\\n'\)"|\\([\\$`])/g;

/** Takes the lines that a command reads as its input (`--data @- <<EOF`), and the command without them. */
function takeHereDocument(text: string): { command: string; document: string | null } {
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
