import { isConfidential } from "~/platform/env-variables.server";

/** Time limit of one call to the identity provider. */
export const IDENTITY_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 256 * 1024;

/**
 * Fetches a JSON document of the identity provider.
 * @throws DOMException "TimeoutError" after {@link IDENTITY_TIMEOUT_MS}; Error on a status other than 2xx, a
 * redirect, more than 256 KiB, or text that is not JSON.
 */
export async function fetchJson(url: string, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, {
    headers: { Accept: "application/json", ...headers },
    redirect: "error",
    signal: AbortSignal.timeout(IDENTITY_TIMEOUT_MS),
  });
  const text = await readText(response);
  if (!response.ok) throw new Error(`answered ${response.status}`);
  return JSON.parse(text);
}

async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    bytes += part.value.byteLength;
    if (bytes > MAX_ANSWER_BYTES) {
      await reader?.cancel();
      throw new Error("answer too large");
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

/** True for an address that sign-in may use: https, or plain http within this machine. */
export function isTrustedAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.username === "" && url.password === "" && isConfidential(url);
}
