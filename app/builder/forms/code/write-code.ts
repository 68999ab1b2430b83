import { parseRecord } from "~/platform/json-value";
import type { CodeChoice, CodeParts } from "./code-choice";
import {
  buildCodeRequest,
  type CodeRequest,
  FileName,
  JSON_LITERALS,
  type Syntax,
  writeLiteral,
} from "./code-request";
import { writeCurl } from "./curl-code";

const WRITERS: Record<CodeChoice["language"], (request: CodeRequest) => string> = {
  curl: writeCurl,
  javascript: writeJavaScript,
  php: writePhp,
  python: writePython,
};

/** Writes a request as a program with a note on its requirements. @param origin URL of this console, for calls to it */
export function writeCode(
  parts: CodeParts,
  origin: string,
  { language, target }: CodeChoice,
): { text: string; note: string } {
  return {
    text: WRITERS[language](buildCodeRequest(parts, target, origin)),
    note: [
      CODE_SECRETS[target],
      target === "provider" && needsMailroom(parts) && NOT_BY_PROVIDER,
      CODE_NEEDS[language],
    ]
      .filter(Boolean)
      .join(" "),
  };
}

/** True for mail with a typed text, which only Mailroom prints and fills. */
function needsMailroom({ body }: CodeParts): boolean {
  return Boolean(parseRecord(body).content || parseRecord(body).message);
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

const JAVASCRIPT: Syntax = {
  ...JSON_LITERALS,
  file: (name) => `(await readFile(${JSON.stringify(name)})).toString("base64")`,
  pair: (key, value) =>
    `${/^[a-z_]\w*$/i.test(key) && key !== "__proto__" ? key : `[${JSON.stringify(key)}]`}: ${value}`,
};

/** Writes a request with Node.js `fetch`. A browser would expose the key. */
function writeJavaScript({ method, url, secret, headers, body }: CodeRequest): string {
  const { variable, scheme } = secret;
  const key = `process.env.${variable}`;
  const authorization = scheme === "basic" ? `\`Basic \${btoa(\`\${${key}}:\`)}\`` : `\`Bearer \${${key}}\``;
  const all = [
    `Authorization: ${authorization}`,
    ...headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    ...(body.kind === "json" ? ['"content-type": "application/json"'] : []),
  ];
  const made = writeScriptBody(body);
  const needsFiles = made?.includes("readFile(");
  return [
    "// Node.js 20 or later, as a module (.mjs).",
    ...(needsFiles ? ['import { readFile } from "node:fs/promises";'] : []),
    "",
    ...(made ? [made, ""] : []),
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    "  headers: {",
    ...all.map((line) => `    ${line},`),
    "  },",
    ...(made ? ["  body,"] : []),
    "});",
    "console.log(response.status, await response.text());",
  ].join("\n");
}

function writeScriptBody(body: CodeRequest["body"]): string | null {
  switch (body.kind) {
    case "none":
      return null;
    case "form":
      return [
        "const body = new URLSearchParams([",
        ...body.fields.map(([name, value]) => `  [${JSON.stringify(name)}, ${JSON.stringify(value)}],`),
        "]);",
      ].join("\n");
    case "multipart":
      return ["const body = new FormData();", ...body.fields.map(writePart)].join("\n");
    case "json":
      return `const body = JSON.stringify(${writeLiteral(body.value, JAVASCRIPT, "")});`;
  }
}

function writePart([name, value]: [string, string | FileName]): string {
  if (!(value instanceof FileName)) return `body.append(${JSON.stringify(name)}, ${JSON.stringify(value)});`;
  const file = JSON.stringify(value.name);
  return `body.append(${JSON.stringify(name)}, new Blob([await readFile(${file})]), ${file});`;
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
  const { variable, scheme } = secret;
  const key = `getenv(${quotePhp(variable)})`;
  const all = [
    ...(scheme === "bearer" ? [`'Authorization: Bearer ' . ${key}`] : []),
    ...headers.map(([name, value]) => quotePhp(`${name}: ${value}`)),
    ...(body.kind === "json" ? [quotePhp("Content-Type: application/json")] : []),
  ];
  const made = writePhpBody(body);
  return [
    "<?php",
    `$curl = curl_init(${quotePhp(url)});`,
    "curl_setopt_array($curl, [",
    `  CURLOPT_CUSTOMREQUEST => ${quotePhp(method)},`,
    ...(scheme === "basic" ? [`  CURLOPT_USERPWD => ${key} . ':',`] : []),
    ...(all.length > 0 ? ["  CURLOPT_HTTPHEADER => [", ...all.map((line) => `    ${line},`), "  ],"] : []),
    ...(made ? [`  CURLOPT_POSTFIELDS => ${made},`] : []),
    "  CURLOPT_RETURNTRANSFER => true,",
    "]);",
    "$answer = curl_exec($curl);",
    "echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;",
  ].join("\n");
}

function writePhpBody(body: CodeRequest["body"]): string | null {
  switch (body.kind) {
    case "none":
      return null;
    case "form":
      return `http_build_query(${writePhpFields(body.fields)})`;
    case "multipart":
      return writePhpFields(body.fields);
    case "json":
      return `json_encode(${writeLiteral(body.value, PHP, "  ")})`;
  }
}

function writePhpFields(fields: readonly [string, string | FileName][]): string {
  const syntax = { ...PHP, file: (name: string) => `new CURLFile(${quotePhp(name)})`, emptyObject: "[]" };
  return writeLiteral(Object.fromEntries(fields), syntax, "  ");
}

function quotePhp(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}

const PYTHON: Syntax = {
  ...JSON_LITERALS,
  file: (name) => `base64.b64encode(open(${JSON.stringify(name)}, "rb").read()).decode()`,
  words: { true: "True", false: "False", null: "None" },
};

/** Writes a request with Python's `requests`. */
function writePython({ method, url, secret, headers, body }: CodeRequest): string {
  const { variable, scheme } = secret;
  const key = `os.environ["${variable}"]`;
  const all = [
    ...(scheme === "bearer" ? [`"Authorization": "Bearer " + ${key}`] : []),
    ...headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const made = writePythonBody(body);
  const code = [
    "response = requests.request(",
    `  ${JSON.stringify(method)},`,
    `  ${JSON.stringify(url)},`,
    ...(scheme === "basic" ? [`  auth=(${key}, ""),`] : []),
    ...(all.length > 0 ? ["  headers={", ...all.map((line) => `    ${line},`), "  },"] : []),
    ...made.map((line) => `  ${line},`),
    ")",
    "print(response.status_code, response.text)",
  ].join("\n");
  const imports = [
    ...(code.includes("base64.") ? ["import base64"] : []),
    "import os",
    "",
    "import requests",
  ];
  return `${imports.join("\n")}\n\n${code}`;
}

function writePythonBody(body: CodeRequest["body"]): string[] {
  switch (body.kind) {
    case "none":
      return [];
    case "form":
      return [`data=${writePairs(body.fields)}`];
    case "multipart": {
      const texts = body.fields.filter(([, value]) => !(value instanceof FileName));
      const files = body.fields.filter(([, value]) => value instanceof FileName);
      return [...(texts.length > 0 ? [`data=${writePairs(texts)}`] : []), `files=${writePairs(files)}`];
    }
    case "json":
      return [`json=${writeLiteral(body.value, PYTHON, "  ")}`];
  }
}

function writePairs(fields: readonly [string, string | FileName][]): string {
  if (fields.length === 0) return "[]";
  const lines = fields.map(([name, value]) => {
    const written =
      value instanceof FileName ? `open(${JSON.stringify(value.name)}, "rb")` : JSON.stringify(value);
    return `    (${JSON.stringify(name)}, ${written}),`;
  });
  return `[\n${lines.join("\n")}\n  ]`;
}
