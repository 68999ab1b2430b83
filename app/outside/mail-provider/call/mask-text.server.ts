import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import { listKeys } from "./keys.server";
import { maskSecret } from "./mask.server";

const LARGE_BYTES = 1024 * 1024;

export const MASK_TEXT: HeavyJob<{ bytes: Uint8Array; secrets: string[] }, string> = {
  name: "provider.mask",
  run: ({ bytes, secrets }) => secrets.reduce(maskSecret, new TextDecoder().decode(bytes)),
  isLarge: ({ bytes }) => bytes.length > LARGE_BYTES,
  notDone: "The answer was not read.",
};

/** The UTF-8 text of a provider's answer without our keys; a large one is read in a thread of its own. */
export async function readMaskedText(bytes: Uint8Array): Promise<string> {
  const input = { bytes, secrets: listKeys() };
  const masked = await doHeavyWork(MASK_TEXT, input);
  // What the provider answered decides about mail and money, so it is read in any case.
  return masked.ok ? masked.value : MASK_TEXT.run(input);
}
