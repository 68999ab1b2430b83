import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import pg from "pg";
import { makeSessionCookie } from "./support/console/session-cookie";
import { startWholeConsole } from "./support/console/whole-console";

import { startPostgres } from "./support/database/postgres";
const postgres = await startPostgres();
process.env.TEST_DATABASE_URL = postgres.url;
const w = await startWholeConsole({ folder: process.cwd(), variables: JSON.parse(process.env.TRY_VARS ?? "{}") });
const db = new pg.Pool({ connectionString: w.databaseUrl ?? "" });
db.on("error", () => {});
const sql = async (text: string, values: unknown[] = []) => (await db.query(text, values as any[])).rows;
const cookies: Record<string, string> = {};
const cookie = async (who: string) => (cookies[who] ??= await makeSessionCookie(who));
async function api(who: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(w.origin + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { cookie: who ? await cookie(who) : "", ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
    redirect: "manual",
  });
  const text = await response.text();
  let json: unknown = text.slice(0, 600);
  try { json = JSON.parse(text); } catch {}
  return { status: response.status, json };
}
async function form(who: string, path: string, fields: Record<string, any>) {
  const f = new FormData();
  for (const [k, v] of Object.entries(fields)) for (const one of Array.isArray(v) ? v : [v]) f.append(k, one);
  const r = await fetch(w.origin + path, { method: "POST", body: f, headers: { cookie: await cookie(who), origin: w.origin }, redirect: "manual" });
  return { status: r.status, to: r.headers.get("location"), text: await strip(await r.text()) };
}
const strip = (html: string) => html.replace(/<(script|style|svg)[\s\S]*?<\/\1>/g, "").replace(/<[^>]+>/g, " ").replace(/&#x27;/g, "'").replace(/&quot;/g, '"').replace(/&amp;/g, "&").replace(/\s+/g, " ").trim();
async function text(who: string, path: string) {
  const r = await fetch(w.origin + path, { headers: { cookie: await cookie(who) }, redirect: "manual" });
  return `${r.status} ${r.headers.get("location") ?? ""} ${strip(await r.text())}`;
}
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms));
async function cookiesOf(who: string) { return cookie(who); }
const faults: any[] = [];
const fail = (rule: any) => { const f = w.provider.fail(rule); faults.push(f); return f; };
const clear = () => { for (const f of faults.splice(0)) f.release(); };
const scope = { postgres, fail, clear, w, db, sql, api, form, text, wait, provider: w.provider, stripe: w.stripe, cookie: cookiesOf };
createServer(async (request, response) => {
  let code = "";
  for await (const chunk of request) code += chunk;
  try {
    const run = new Function(...Object.keys(scope), `return (async () => { ${code} })()`);
    const value = await run(...Object.values(scope));
    response.end(typeof value === "string" ? value : JSON.stringify(value, (_, v) => typeof v === "bigint" ? String(v) : v, 1) ?? "undefined");
  } catch (error) { response.end(String((error as Error).stack)); }
}).listen(3999);
writeFileSync("/tmp/try.json", JSON.stringify({ origin: w.origin, databaseUrl: w.databaseUrl }));
console.log("ready", w.origin);
