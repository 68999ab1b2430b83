import { isRecord, parseJson } from "~/platform/json-value";
import type { CurlCommand } from "./parse-curl.server";

const OWN_API = /(?:^|\/)api\/stannp\/?$/;

/**
 * A command that calls Mailroom, as the command that it stands for: Mailroom's own code samples are such commands. Any
 * other command stays as it is.
 */
export function openMailroomCall(command: CurlCommand, baseUrl: string): CurlCommand {
  if (!OWN_API.test(command.url.pathname)) return command;
  const data = command.options.find(({ name }) => name.startsWith("data") || name === "json");
  const call = parseJson(data?.value ?? "");
  if (!isRecord(call) || typeof call.path !== "string") return command;
  const base = typeof call.baseUrl === "string" ? call.baseUrl : baseUrl;
  const address = `${base}/${call.path}?${new URLSearchParams(toTexts(call.query))}`;
  if (!URL.canParse(address)) return command;
  const headers = Object.entries(toTexts(call.headers));
  return {
    url: new URL(address),
    method: typeof call.method === "string" ? call.method.toUpperCase() : "POST",
    options: [
      // Of the outer call only its keys matter, which are noted.
      ...command.options.filter(({ name, value }) => name === "user" || /^authorization:/i.test(value)),
      ...headers.map(([name, value]) => ({ name: "header", value: `${name}: ${value}` })),
      ...(call.body === undefined ? [] : [{ name: "data-raw", value: JSON.stringify(call.body) }]),
    ],
  };
}

function toTexts(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}
