import { parseRecord } from "~/platform/json-value";
import {
  type BuilderCall,
  buildCodeRequest,
  buildWrittenBody,
  type CodeField,
  type CodeRequest,
  type CodeValue,
  FileName,
  hasFile,
  JSON_LITERALS,
  type Syntax,
  writeLiteral,
} from "./code-request";

const WRITERS = { curl: writeCurl, javascript: writeJavaScript, php: writePhp, python: writePython };

export interface CodeChoice {
  language: keyof typeof WRITERS;
  target: keyof typeof CODE_SECRETS;
}

/** Writes a request as a program with a note on its requirements. @param origin URL of this console, for calls to it */
export function writeCode(source: BuilderCall, origin: string, { language, target }: CodeChoice) {
  const notes = [CODE_SECRETS[target], CODE_NEEDS[language]];
  if (target === "provider" && needsMailroom(source)) notes.splice(1, 0, NOT_BY_PROVIDER);
  return {
    text: WRITERS[language](buildCodeRequest(source, target, origin)),
    note: notes.filter(Boolean).join(" "),
  };
}

/** True for mail with a typed text, which only Mailroom prints and fills. */
function needsMailroom(source: BuilderCall): boolean {
  const { content, message } = parseRecord(buildWrittenBody(source));
  return Boolean(content || message);
}

/** Instructions for the key, by the server that the program calls. */
const CODE_SECRETS = {
  provider: "Set STANNP_API_KEY in your program's environment.",
  mailroom:
    "Set MAILROOM_TOKEN to a personal token. Mailroom fills {placeholders}, makes the PDF, charges credits and stores the answer.",
};
const NOT_BY_PROVIDER = "The provider does not fill {placeholders} and prints no typed letter text.";
const CODE_NEEDS = {
  curl: "",
  javascript: "",
  php: "Needs PHP's curl extension.",
  python: "Needs the package requests.",
};

/** JSON in a here-document, which the shell fills with the files. */
const HERE_DOCUMENT: Syntax = {
  ...JSON_LITERALS,
  text: (text) => escapeHere(JSON.stringify(text)),
  file: (name) => `"$(base64 < ${quoteShell(name)} | tr -d '\\n')"`,
  pair: (key, value) => `${escapeHere(JSON.stringify(key))}: ${value}`,
  lastComma: "",
};

const PLAIN: Syntax = { ...HERE_DOCUMENT, text: JSON_LITERALS.text, pair: JSON_LITERALS.pair };

/** Writes a request as a curl command for a POSIX shell. */
export function writeCurl({ method, url, secret, headers, body }: CodeRequest): string {
  const { variable, scheme } = secret;
  const parts = [
    `curl${method === (body.kind === "none" ? "GET" : "POST") ? "" : ` -X ${method}`} ${quoteShell(url)}`,
    scheme === "basic" ? `-u "$${variable}:"` : `-H "Authorization: Bearer $${variable}"`,
    ...headers.map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
  ];
  if (body.kind === "form") {
    const isMultipart = hasFile(body.fields);
    parts.push(...body.fields.map((field) => writeCurlField(field, isMultipart)));
    if (body.fields.length === 0) parts.push("-d ''");
  }
  if (body.kind === "json") {
    const isWithFiles = containsFile(body.value);
    parts.push(
      "-H 'Content-Type: application/json'",
      isWithFiles
        ? `--data-binary @- <<JSON\n${writeLiteral(body.value, HERE_DOCUMENT, "")}\nJSON`
        : `--data-raw ${quoteShell(writeLiteral(body.value, PLAIN, ""))}`,
    );
  }
  return parts.join(" \\\n  ");
}

function writeCurlField([name, value]: CodeField, isMultipart: boolean): string {
  if (!isMultipart) return `--data-urlencode ${quoteShell(`${encodeName(name)}=${value}`)}`;
  if (!(value instanceof FileName)) return `--form-string ${quoteShell(`${name}=${value}`)}`;
  // Curl reads a comma or semicolon as the end of a file's name, unless the name is in quotes.
  const file = /[,;"\\]/.test(value.name) ? `"${value.name.replace(/["\\]/g, "\\$&")}"` : value.name;
  return `-F ${quoteShell(`${name}=@${file}`)}`;
}

/** In single quotes a shell changes nothing. */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function escapeHere(text: string): string {
  return text.replace(/[\\$`]/g, "\\$&");
}

/** Curl encodes the value of a field, and takes its name as it is. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll("%5B", "[").replaceAll("%5D", "]");
}

function containsFile(value: CodeValue): boolean {
  if (value instanceof FileName) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(containsFile);
}

const quote = JSON_LITERALS.text;

const JAVASCRIPT: Syntax = {
  ...JSON_LITERALS,
  file: (name) => `(await readFile(${quote(name)})).toString("base64")`,
  pair: (key, value) =>
    `${/^[a-z_]\w*$/i.test(key) && key !== "__proto__" ? key : `[${quote(key)}]`}: ${value}`,
};

/** Writes a request with Node.js `fetch`. A browser would expose the key. */
function writeJavaScript({ method, url, secret, headers, body }: CodeRequest): string {
  const key = `process.env.${secret.variable}`;
  const made = writeScriptBody(body);
  return [
    "// Node.js 20 or later, as a module (.mjs).",
    ...(made.includes("readFile(") ? ['import { readFile } from "node:fs/promises";'] : []),
    "",
    ...(made ? [made, ""] : []),
    `const response = await fetch(${quote(url)}, {`,
    `  method: ${quote(method)},`,
    "  headers: {",
    secret.scheme === "basic"
      ? `    Authorization: \`Basic \${btoa(\`\${${key}}:\`)}\`,`
      : `    Authorization: \`Bearer \${${key}}\`,`,
    ...headers.map(([name, value]) => `    ${quote(name)}: ${quote(value)},`),
    ...(body.kind === "json" ? ['    "content-type": "application/json",'] : []),
    "  },",
    ...(made ? ["  body,"] : []),
    "});",
    "console.log(response.status, await response.text());",
  ].join("\n");
}

function writeScriptBody(body: CodeRequest["body"]): string {
  if (body.kind === "none") return "";
  if (body.kind === "json")
    return `const body = JSON.stringify(${writeLiteral(body.value, JAVASCRIPT, "")});`;
  const parts = body.fields.map(([name, value]) => {
    if (!(value instanceof FileName)) return `body.append(${quote(name)}, ${quote(value)});`;
    const file = quote(value.name);
    return `body.append(${quote(name)}, new Blob([await readFile(${file})]), ${file});`;
  });
  return [`const body = new ${hasFile(body.fields) ? "FormData" : "URLSearchParams"}();`, ...parts].join(
    "\n",
  );
}

const PHP: Syntax = {
  text: quotePhp,
  file: (name) => `base64_encode(file_get_contents(${quotePhp(name)}))`,
  pair: (key, value) => `${quotePhp(key)} => ${value}`,
  object: ["[", "]"],
  list: ["[", "]"],
  emptyObject: "new stdClass()",
  words: { true: "true", false: "false", null: "null" },
  lastComma: ",",
};

/** Writes a request with PHP's curl extension. */
function writePhp({ method, url, secret, headers, body }: CodeRequest): string {
  const key = `getenv(${quotePhp(secret.variable)})`;
  const all = [
    ...(secret.scheme === "bearer" ? [`'Authorization: Bearer ' . ${key}`] : []),
    ...headers.map(([name, value]) => quotePhp(`${name}: ${value}`)),
    ...(body.kind === "json" ? [quotePhp("Content-Type: application/json")] : []),
  ];
  return [
    "<?php",
    `$curl = curl_init(${quotePhp(url)});`,
    "curl_setopt_array($curl, [",
    `  CURLOPT_CUSTOMREQUEST => ${quotePhp(method)},`,
    ...(secret.scheme === "basic" ? [`  CURLOPT_USERPWD => ${key} . ':',`] : []),
    ...(all.length > 0 ? ["  CURLOPT_HTTPHEADER => [", ...all.map((line) => `    ${line},`), "  ],"] : []),
    ...(body.kind === "none" ? [] : [`  CURLOPT_POSTFIELDS => ${writePhpBody(body)},`]),
    "  CURLOPT_RETURNTRANSFER => true,",
    "]);",
    "$answer = curl_exec($curl);",
    "echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;",
  ].join("\n");
}

function writePhpBody(body: Exclude<CodeRequest["body"], { kind: "none" }>): string {
  if (body.kind === "json") return `json_encode(${writeLiteral(body.value, PHP, "  ")})`;
  const syntax = { ...PHP, file: (name: string) => `new CURLFile(${quotePhp(name)})`, emptyObject: "[]" };
  const fields = writeLiteral(Object.fromEntries(body.fields), syntax, "  ");
  return hasFile(body.fields) ? fields : `http_build_query(${fields})`;
}

function quotePhp(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}

const PYTHON: Syntax = {
  ...JSON_LITERALS,
  file: (name) => `base64.b64encode(open(${quote(name)}, "rb").read()).decode()`,
  words: { true: "True", false: "False", null: "None" },
};

/** Writes a request with Python's `requests`. */
function writePython({ method, url, secret, headers, body }: CodeRequest): string {
  const key = `os.environ["${secret.variable}"]`;
  const all = [
    ...(secret.scheme === "bearer" ? [`"Authorization": "Bearer " + ${key}`] : []),
    ...headers.map(([name, value]) => `${quote(name)}: ${quote(value)}`),
  ];
  const code = [
    "response = requests.request(",
    `  ${quote(method)},`,
    `  ${quote(url)},`,
    ...(secret.scheme === "basic" ? [`  auth=(${key}, ""),`] : []),
    ...(all.length > 0 ? ["  headers={", ...all.map((line) => `    ${line},`), "  },"] : []),
    ...writePythonBody(body).map((line) => `  ${line},`),
    ")",
    "print(response.status_code, response.text)",
  ].join("\n");
  const standard = code.includes("base64.") ? "import base64\nimport os" : "import os";
  return `${standard}\n\nimport requests\n\n${code}`;
}

function writePythonBody(body: CodeRequest["body"]): string[] {
  if (body.kind === "none") return [];
  if (body.kind === "json") return [`json=${writeLiteral(body.value, PYTHON, "  ")}`];
  const texts = body.fields.filter(([, value]) => !(value instanceof FileName));
  const files = body.fields.filter(([, value]) => value instanceof FileName);
  const data = `data=${writePairs(texts)}`;
  return files.length > 0 ? [data, `files=${writePairs(files)}`] : [data];
}

function writePairs(fields: readonly CodeField[]): string {
  if (fields.length === 0) return "[]";
  const lines = fields.map(([name, value]) => {
    const written = value instanceof FileName ? `open(${quote(value.name)}, "rb")` : quote(value);
    return `    (${quote(name)}, ${written}),`;
  });
  return `[\n${lines.join("\n")}\n  ]`;
}
