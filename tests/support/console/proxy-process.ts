import type { ProxyResponse } from "~/proxy/answer.schema.server";
import { buildConsole } from "./console-build";
import { startConsole } from "./console-process";
import { makeSessionCookie } from "./session-cookie";

export interface ProxyAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON. */
  json: ProxyResponse & { success?: boolean; hasServerKey?: boolean; details?: string };
}

export type ProxyProcess = Awaited<ReturnType<typeof startProxy>>;

/** Starts a console without a database; its proxy is called as the page of a signed-in person calls it. */
export async function startProxy(variables: Record<string, string>) {
  // Keeps idle connections open for longer than `fetch` reuses them.
  const keepOpen = { TRUST_PROXY: "1" };
  const started = await startConsole({ LOG_LEVEL: "trace", ...keepOpen, ...variables }, await buildConsole());
  const cookie = await makeSessionCookie("ana");
  return {
    /** The whole output of the process so far. */
    output: () => [...started.output, ...started.errors].join("\n"),
    stop: () => started.stop(),
    async send(body: unknown, init: RequestInit = {}): Promise<ProxyAnswer> {
      const reply = await fetch(`${started.origin}/api/stannp`, {
        method: "POST",
        body: JSON.stringify(body),
        ...init,
        headers: { "Content-Type": "application/json", Cookie: cookie, ...init.headers },
      });
      const text = await reply.text();
      return { status: reply.status, headers: reply.headers, text, json: JSON.parse(text) };
    },
  };
}
