import { createServer } from "node:http";
import { listen } from "./listen";
import { Emulator, type EmulatorSettings } from "./mail-provider/emulator";
import { type Behaviour, DOCUMENTED } from "./mail-provider/faults/behaviour";

/** All but the key have defaults: see {@link DEFAULTS}. */
export type MailProviderOptions = Partial<Omit<EmulatorSettings, "origin" | "behaviour">> & {
  apiKey: string;
  /** Default 0: any free port. */
  port?: number;
  /** How it differs from its reference at first. */
  behaviour?: Partial<Behaviour>;
};

/** Faults with a chance are drawn from `Math.random`, and the smallest plan allows 300 calls a minute. */
const DEFAULTS = {
  ...{ statusStepMs: 60_000, now: Date.now, rateLimitPerMinute: 300, firstPieceId: 16_800_001 },
  ...{ templatePictures: false, random: Math.random, otherAccounts: [] },
};

export type MailProvider = Emulator;

/**
 * Starts a direct-mail provider that behaves as the public reference documents, on this
 * machine and in memory. Rejects when the port is taken.
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
