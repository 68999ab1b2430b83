import { createServer } from "node:http";
import { listen } from "./listen";
import { Emulator, type EmulatorSettings } from "./mail-provider/emulator";
import { type Behaviour, DOCUMENTED } from "./mail-provider/faults/behaviour";

/** Options of the emulator. All but the key have defaults: see {@link DEFAULTS}. */
export type MailProviderOptions = Partial<Omit<EmulatorSettings, "origin" | "behaviour">> & {
  apiKey: string;
  /** Default 0: any free port. */
  port?: number;
  /** Initial deviations from its reference. */
  behaviour?: Partial<Behaviour>;
};

/** Faults with a chance use `Math.random`, and the smallest plan allows 300 calls a minute. */
const DEFAULTS = {
  ...{ statusStepMs: 60_000, now: Date.now, rateLimitPerMinute: 300, firstPieceId: 16_800_001 },
  ...{ templatePictures: false, random: Math.random, otherAccounts: [] },
};

export type MailProvider = Emulator;

/**
 * Starts a direct-mail provider in memory on this machine that behaves as the public reference documents. Rejects
 * when the port is taken.
 */
export async function startMailProvider({
  port = 0,
  ...options
}: MailProviderOptions): Promise<MailProvider> {
  const server = createServer((request, response) => void emulator?.serve(request, response));
  let emulator: Emulator | null = null;
  server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    else socket.destroy();
  });
  const listening = await listen(server, port);
  emulator = new Emulator(
    {
      origin: `http://127.0.0.1:${listening.port}`,
      ...DEFAULTS,
      ...options,
      behaviour: { ...DOCUMENTED, ...options.behaviour },
    },
    listening.close,
  );
  return emulator;
}
