import { type CodeRequest, FileName, JSON_LITERALS, type Syntax, writeLiteral } from "./code-request";

const SYNTAX: Syntax = {
  ...JSON_LITERALS,
  file: (name) => `(await readFile(${JSON.stringify(name)})).toString("base64")`,
  pair: (key, value) =>
    `${/^[a-z_]\w*$/i.test(key) && key !== "__proto__" ? key : `[${JSON.stringify(key)}]`}: ${value}`,
};

/** Writes a request with Node.js `fetch`. A browser would expose the key. */
export function writeJavaScript({ method, url, secret, headers, body }: CodeRequest): string {
  const { variable, scheme } = secret;
  const key = `process.env.${variable}`;
  const authorization = scheme === "basic" ? `\`Basic \${btoa(\`\${${key}}:\`)}\`` : `\`Bearer \${${key}}\``;
  const all = [
    `Authorization: ${authorization}`,
    ...headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    ...(body.kind === "json" ? ['"content-type": "application/json"'] : []),
  ];
  const made = writeBody(body);
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

function writeBody(body: CodeRequest["body"]): string | null {
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
      return `const body = JSON.stringify(${writeLiteral(body.value, SYNTAX, "")});`;
  }
}

function writePart([name, value]: [string, string | FileName]): string {
  if (!(value instanceof FileName)) return `body.append(${JSON.stringify(name)}, ${JSON.stringify(value)});`;
  const file = JSON.stringify(value.name);
  return `body.append(${JSON.stringify(name)}, new Blob([await readFile(${file})]), ${file});`;
}
