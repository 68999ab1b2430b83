import { createServer } from "node:http";
import { listen } from "./listen";
import { Emulator, type OtherAccount } from "./mail-provider/emulator";
import { type Behaviour, DOCUMENTED } from "./mail-provider/faults/behaviour";

export interface MailProviderOptions {
  apiKey: string;
  /** Default 0: any free port. */
  port?: number;
  /** How long a live piece stays in each status; default 60000, 0 = for ever. */
  statusStepMs?: number;
  /** Epoch ms; default the real clock. */
  now?: () => number;
  /** Default 300, as the smallest plan has. */
  rateLimitPerMinute?: number;
  /** Of the first piece that is sent; default 16800001. */
  firstPieceId?: number;
  /** Whether templates have pictures; a page that allows no plain http cannot show them. Default false. */
  templatePictures?: boolean;
  /** Decides about faults with a chance; default Math.random. */
  random?: () => number;
  /** Accounts with keys of their own, beside that of `apiKey`. All tell the same webhook of their changes. */
  otherAccounts?: readonly OtherAccount[];
  /** How it differs from its reference at first. */
  behaviour?: Partial<Behaviour>;
}

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
      statusStepMs: 60_000,
      now: Date.now,
      rateLimitPerMinute: 300,
      firstPieceId: 16_800_001,
      templatePictures: false,
      random: Math.random,
      otherAccounts: [],
      ...options,
      behaviour: { ...DOCUMENTED, ...options.behaviour },
    },
    listening.close,
  );
  return emulator;
}
