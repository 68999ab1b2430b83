import { env } from "~/platform/env.server";
import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import { maskSecret } from "./mask.server";

const LARGE_BYTES = 1024 * 1024;

export const MASK_TEXT: HeavyJob<{ bytes: Uint8Array; secret: string | null }, string> = {
  name: "provider.mask",
  run: ({ bytes, secret }) => {
    const text = new TextDecoder().decode(bytes);
    return secret === null ? text : maskSecret(text, secret);
  },
  isLarge: ({ bytes }) => bytes.length > LARGE_BYTES,
  notDone: "The answer was not read.",
};

/** The UTF-8 text of a provider's answer without our key; a large one is read in a thread of its own. */
export async function readMaskedText(bytes: Uint8Array): Promise<string> {
  const input = { bytes, secret: env().providerKey };
  const masked = await doHeavyWork(MASK_TEXT, input);
  // What the provider answered decides about mail and money, so it is read in any case.
  return masked.ok ? masked.value : MASK_TEXT.run(input);
}
