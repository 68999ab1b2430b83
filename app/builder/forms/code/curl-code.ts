import {
  type CodeRequest,
  type CodeValue,
  FileName,
  JSON_LITERALS,
  type Syntax,
  writeLiteral,
} from "./code-request";

/** JSON in a here-document, which the shell fills with the files. */
const HERE_DOCUMENT: Syntax = {
  ...JSON_LITERALS,
  text: (text) => escapeHere(JSON.stringify(text)),
  file: (name) => `"$(base64 < ${quote(name)} | tr -d '\\n')"`,
  pair: (key, value) => `${escapeHere(JSON.stringify(key))}: ${value}`,
  lastComma: "",
};

const PLAIN: Syntax = { ...HERE_DOCUMENT, text: JSON_LITERALS.text, pair: JSON_LITERALS.pair };

/** Writes a request as a curl command for a POSIX shell. */
export function writeCurl({ method, url, secret, headers, body }: CodeRequest): string {
  const { variable, scheme } = secret;
  const parts = [
    `curl${method === (body.kind === "none" ? "GET" : "POST") ? "" : ` -X ${method}`} ${quote(url)}`,
    scheme === "basic" ? `-u "$${variable}:"` : `-H "Authorization: Bearer $${variable}"`,
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
  ];
  if (body.kind === "form") {
    parts.push(
      ...body.fields.map(([name, value]) => `--data-urlencode ${quote(`${encodeName(name)}=${value}`)}`),
    );
    if (body.fields.length === 0) parts.push("-d ''");
  }
  if (body.kind === "multipart") parts.push(...body.fields.map(writePart));
  if (body.kind !== "json") return parts.join(" \\\n  ");
  parts.push("-H 'Content-Type: application/json'");
  if (!hasFile(body.value)) {
    return [...parts, `--data-raw ${quote(writeLiteral(body.value, PLAIN, ""))}`].join(" \\\n  ");
  }
  return `${[...parts, "--data-binary @- <<JSON"].join(" \\\n  ")}\n${writeLiteral(body.value, HERE_DOCUMENT, "")}\nJSON`;
}

function writePart([name, value]: [string, string | FileName]): string {
  if (!(value instanceof FileName)) return `--form-string ${quote(`${name}=${value}`)}`;
  // Curl reads a comma or semicolon as the end of a file's name, unless the name is in quotes.
  const file = /[,;"\\]/.test(value.name) ? `"${value.name.replace(/["\\]/g, "\\$&")}"` : value.name;
  return `-F ${quote(`${name}=@${file}`)}`;
}

/** In single quotes a shell changes nothing. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function escapeHere(text: string): string {
  return text.replace(/[\\$`]/g, "\\$&");
}

/** Curl encodes the value of a field, and takes its name as it is. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll("%5B", "[").replaceAll("%5D", "]");
}

function hasFile(value: CodeValue): boolean {
  if (value instanceof FileName) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasFile);
}
