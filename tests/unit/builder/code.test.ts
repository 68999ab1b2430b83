import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Draft, openPreset } from "~/builder/draft/draft";
import { openCurl } from "~/builder/draft/open-curl.server";
import { findPresetCall } from "~/builder/draft/presets.server";
import { type CodeChoice, writeCode } from "~/builder/forms/code/write-code";
import { findPreset } from "~/catalogue/presets";
import { startWebhookReceiver, type WebhookReceiver } from "../../emulators/webhook-receiver";

const KEY = "sk-$(touch x)'\"";
const NASTY = 'It\'s 5 $HOME `id` \\ "q" ünï\n2nd line & a=b;c @x';
const PDF = Buffer.from("%PDF-1.4 not really");

let origin = "";
let server: WebhookReceiver;
const folder = mkdtempSync(path.join(tmpdir(), "mailroom-code-"));
beforeAll(async () => {
  server = await startWebhookReceiver();
  origin = server.origin;
  writeFileSync(path.join(folder, "it's front.pdf"), PDF);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function postcard(file: boolean): Draft {
  const draft = openPreset(callOf("postcards.create"));
  const recipient = { recipient_firstname: "Siobhán", recipient_city: "Portland" };
  Object.assign(draft.values, {
    size: "4x6",
    test: "true",
    message: NASTY,
    ...recipient,
    post_unverified: "false",
  });
  if (file) {
    draft.values.front = PDF.toString("base64");
    draft.files.front = { name: "it's front.pdf", bytes: PDF.length };
  }
  return draft;
}

function callOf(id: string) {
  const preset = findPreset(id);
  if (!preset) throw new Error(id);
  return findPresetCall(preset, false);
}

function code(draft: Draft, presetId: string, choice: Partial<CodeChoice>) {
  const base = { url: `${origin}/v1`, appendJson: false };
  return writeCode({ draft, call: callOf(presetId), base }, origin, {
    language: "curl",
    target: "provider",
    ...choice,
  }).text;
}

/** Runs a program in the folder of the file. */
async function run(program: string, args: string[], input: string) {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, PATH: process.env.PATH, STANNP_API_KEY: KEY, MAILROOM_TOKEN: KEY },
  });
  child.stdin.end(input);
  const [output, ended] = await Promise.all([
    text(child.stderr),
    new Promise((resolve) => child.on("close", resolve)),
  ]);
  expect(ended, output).toBe(0);
  const { method, path: url, headers, body } = server.received.at(-1) ?? { headers: {} };
  return {
    method,
    url,
    body,
    authorization: headers.authorization ?? "",
    type: headers["content-type"] ?? "",
  };
}

const FIELDS = {
  size: "4x6",
  test: "1",
  message: NASTY,
  post_unverified: "0",
  "recipient[firstname]": "Siobhán",
  "recipient[city]": "Portland",
};

describe("the current request as code", () => {
  test("in JavaScript sends the form that the provider documents, with the key from the environment", async () => {
    const program = code(postcard(false), "postcards.create", { language: "javascript" });
    const request = await run("node", ["--input-type=module"], program);
    expect(request).toMatchObject({ method: "POST", url: "/v1/postcards/create" });
    expect(Buffer.from(request.authorization.replace("Basic ", "") ?? "", "base64").toString()).toBe(
      `${KEY}:`,
    );
    expect(Object.fromEntries(new URLSearchParams(request.body))).toMatchObject(FIELDS);
  });

  test("in JavaScript sends a file with it", async () => {
    const program = code(postcard(true), "postcards.create", { language: "javascript" });
    const request = await run("node", ["--input-type=module"], program);
    const form = await new Response(request.body, {
      headers: { "content-type": request.type ?? "" },
    }).formData();
    expect(await (form.get("front") as File).text()).toBe(PDF.toString());
    expect(form.get("message")).toBe(NASTY.replaceAll("\n", "\r\n"));
    expect(program).not.toContain(PDF.toString("base64"));
  });

  test("in JavaScript calls Mailroom with a token and the file as base64", async () => {
    const program = code(postcard(true), "postcards.create", { language: "javascript", target: "mailroom" });
    const request = await run("node", ["--input-type=module"], program);
    expect(request).toMatchObject({ url: "/api/stannp", authorization: `Bearer ${KEY}` });
    expect(JSON.parse(request.body ?? "")).toMatchObject({
      baseUrl: `${origin}/v1`,
      path: "postcards/create",
      body: {
        front: PDF.toString("base64"),
        message: NASTY,
        test: true,
        recipient: { firstname: "Siobhán" },
      },
    });
  });

  test("in curl parses to the same request", () => {
    const draft = openPreset(callOf("recipients.create"));
    Object.assign(draft.values, { firstname: NASTY, email: "a@b.example" });
    const base = { label: "US", url: "https://api-us1.stannp.com/v1", appendJson: false };
    const { text: command } = writeCode({ draft, call: callOf("recipients.create"), base }, origin, {
      language: "curl",
      target: "provider",
    });
    const read = openCurl(command, base);
    if (!read.ok) throw new Error(read.failure.message);
    expect(read.value.opened.draft.values).toMatchObject({ firstname: NASTY, email: "a@b.example" });
    expect(read.value.report).toMatchObject({ keys: ["-u"], otherBase: [], unfit: [] });
  });

  test("names the file and the variable in every language, for both calls, and never the key", () => {
    const draft = postcard(true);
    draft.query = [{ name: "api_key", value: "typed-key" }];
    draft.headers = [{ name: "Authorization", value: "typed-key" }];
    for (const language of ["curl", "javascript", "php", "python"] as const) {
      for (const target of ["provider", "mailroom"] as const) {
        const written = code(draft, "postcards.create", { language, target });
        expect(written, language).toContain("front.pdf");
        expect(written, language).toContain(target === "provider" ? "STANNP_API_KEY" : "MAILROOM_TOKEN");
        expect(written, language).not.toContain("typed-key");
        expect(written, language).not.toContain(PDF.toString("base64"));
      }
    }
  });

  test("in PHP and Python quotes every text by the language's rules", () => {
    const draft = openPreset(callOf("recipients.create"));
    for (const field of callOf("recipients.create").fields) draft.values[field.name] = "";
    draft.values.firstname = 'O\'Ne\\il "x" $y';
    const php = String.raw`'firstname' => 'O\'Ne\\il "x" $y',`;
    const python = String.raw`("firstname", "O'Ne\\il \"x\" $y"),`;
    expect(code(draft, "recipients.create", { language: "php" })).toContain(php);
    expect(code(draft, "recipients.create", { language: "python" })).toContain(python);
  });
});
