import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ProxyResponse } from "~/proxy/proxy-types";
import { wordsToStart } from "../child-programs";
import { NO_LIMITS } from "./no-limits";

const START_LIMIT_MS = 120_000;
const SECRET = "proxy-test-session-secret";
/** The public origin that the process is told. */
const APP_ORIGIN = "http://console.test";

export interface ProxyAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON. */
  json: ProxyResponse & { success?: boolean; hasServerKey?: boolean; details?: string };
}

export interface ProxyProcess {
  url: string;
  /** The `Cookie` of someone who is signed in. */
  cookie: string;
  /** Everything the process wrote so far. */
  output(): string;
  /** Resolves when the output has this text. */
  waitForOutput(text: string): Promise<void>;
  /** Posts a proxy request as the signed-in page does. */
  send(body: unknown, init?: RequestInit): Promise<ProxyAnswer>;
  stop(): Promise<void>;
}

/** Starts the proxy route in a process with exactly these variables besides session, origin and log level. */
export async function startProxy(variables: Record<string, string>): Promise<ProxyProcess> {
  const child = spawn(process.execPath, wordsToStart("tests/support/console/proxy-server.ts"), {
    env: {
      PATH: process.env.PATH ?? "",
      NODE_ENV: "test",
      APP_ORIGIN,
      SESSION_SECRET: SECRET,
      LOG_LEVEL: "trace",
      ...NO_LIMITS,
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const watchers = new Set<() => void>();
  const keep = (chunk: Buffer) => {
    output += chunk.toString("utf8");
    for (const look of watchers) look();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const waitFor = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`"${text}" was not written:\n${output}`)),
        START_LIMIT_MS,
      );
      const look = () => {
        if (!output.includes(text)) return;
        clearTimeout(timer);
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  await Promise.race([
    waitFor('"port":'),
    once(child, "exit").then(() => Promise.reject(new Error(`The proxy ended:\n${output}`))),
  ]);
  const url = `http://127.0.0.1:${/"port":(\d+)/.exec(output)?.[1]}/api/stannp`;
  const cookie = await signIn();
  return {
    url,
    cookie,
    output: () => output,
    waitForOutput: waitFor,
    async send(body, init = {}) {
      const reply = await fetch(url, {
        method: "POST",
        body: JSON.stringify(body),
        ...init,
        headers: { "Content-Type": "application/json", Cookie: cookie, ...init.headers },
      });
      const text = await reply.text();
      return { status: reply.status, headers: reply.headers, text, json: JSON.parse(text) };
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}

/** A session cookie made by the console's own code, with the secret the process has. */
async function signIn(): Promise<string> {
  process.env.SESSION_SECRET = SECRET;
  process.env.APP_ORIGIN = APP_ORIGIN;
  const { startSession } = await import("~/platform/http/session.server");
  const line = await startSession({
    subject: "ana",
    name: "Ana",
    email: "ana@example.com",
    emailVerified: true,
    picture: null,
  });
  return line.split(";")[0] ?? "";
}
