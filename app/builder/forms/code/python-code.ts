import { type CodeRequest, FileName, JSON_LITERALS, type Syntax, writeLiteral } from "./code-request";

const SYNTAX: Syntax = {
  ...JSON_LITERALS,
  file: (name) => `base64.b64encode(open(${JSON.stringify(name)}, "rb").read()).decode()`,
  words: { true: "True", false: "False", null: "None" },
};

/** Writes a request with Python's `requests`. */
export function writePython({ method, url, secret, headers, body }: CodeRequest): string {
  const { variable, scheme } = secret;
  const key = `os.environ["${variable}"]`;
  const all = [
    ...(scheme === "bearer" ? [`"Authorization": "Bearer " + ${key}`] : []),
    ...headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const made = writeBody(body);
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

function writeBody(body: CodeRequest["body"]): string[] {
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
      return [`json=${writeLiteral(body.value, SYNTAX, "  ")}`];
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
