import { type CodeRequest, type FileName, type Syntax, writeLiteral } from "./code-request";

const SYNTAX: Syntax = {
  text: quote,
  file: (name) => `base64_encode(file_get_contents(${quote(name)}))`,
  pair: (key, value) => `${quote(key)} => ${value}`,
  object: ["[", "]"],
  list: ["[", "]"],
  emptyObject: "new stdClass()",
  words: { true: "true", false: "false", null: "null" },
  lastComma: ",",
};

/** Writes a request with PHP's curl extension. */
export function writePhp({ method, url, secret, headers, body }: CodeRequest): string {
  const { variable, scheme } = secret;
  const key = `getenv(${quote(variable)})`;
  const all = [
    ...(scheme === "bearer" ? [`'Authorization: Bearer ' . ${key}`] : []),
    ...headers.map(([name, value]) => quote(`${name}: ${value}`)),
    ...(body.kind === "json" ? [quote("Content-Type: application/json")] : []),
  ];
  const made = writeBody(body);
  return [
    "<?php",
    `$curl = curl_init(${quote(url)});`,
    "curl_setopt_array($curl, [",
    `  CURLOPT_CUSTOMREQUEST => ${quote(method)},`,
    ...(scheme === "basic" ? [`  CURLOPT_USERPWD => ${key} . ':',`] : []),
    ...(all.length > 0 ? ["  CURLOPT_HTTPHEADER => [", ...all.map((line) => `    ${line},`), "  ],"] : []),
    ...(made ? [`  CURLOPT_POSTFIELDS => ${made},`] : []),
    "  CURLOPT_RETURNTRANSFER => true,",
    "]);",
    "$answer = curl_exec($curl);",
    "echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;",
  ].join("\n");
}

function writeBody(body: CodeRequest["body"]): string | null {
  switch (body.kind) {
    case "none":
      return null;
    case "form":
      return `http_build_query(${writeFields(body.fields)})`;
    case "multipart":
      return writeFields(body.fields);
    case "json":
      return `json_encode(${writeLiteral(body.value, SYNTAX, "  ")})`;
  }
}

function writeFields(fields: readonly [string, string | FileName][]): string {
  const syntax = { ...SYNTAX, file: (name: string) => `new CURLFile(${quote(name)})`, emptyObject: "[]" };
  return writeLiteral(Object.fromEntries(fields), syntax, "  ");
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
