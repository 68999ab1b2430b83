import { createServer } from "node:http";
import { listen } from "./listen";
import { Emulator, type OtherAccount } from "./mail-provider/emulator";
import { type Behaviour, DOCUMENTED } from "./mail-provider/faults/behaviour";
import type { FaultHandle } from "./mail-provider/faults/fault-desk";
import type { FaultRule } from "./mail-provider/faults/fault-rule";
import type { ReceivedRequest } from "./mail-provider/http/received-request";
import type { MailPiece, PieceStatus } from "./mail-provider/mail-pieces";
import type { KnownPiece } from "./mail-provider/seed-mail";
import type { ProviderWebhooks } from "./mail-provider/webhooks";

export interface MailProviderOptions {
  apiKey: string;
  /** Default 0: any free port. */
  port?: number;
  /** Default 127.0.0.1. */
  host?: string;
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

/** One mail piece (or test) that was accepted through the API, with the account it is in. */
export type AcceptedPiece = MailPiece & { accountId: string; status: PieceStatus };

export interface MailProvider {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** `<origin>/v1`; `<origin>/global/v1` and `<origin>/api/v1` (takes `.json` endings) lead to the same. */
  readonly baseUrl: string;
  readonly received: readonly ReceivedRequest[];
  /** Every piece and test accepted through the API since the start or the last reset, account by account. */
  readonly pieces: readonly AcceptedPiece[];
  /** Idempotency keys that were asked with while an earlier request with them was still open. */
  readonly overlappingKeys: readonly string[];
  /** Where it tells of changes; no one has subscribed at first. */
  readonly webhooks: ProviderWebhooks;
  /** Moves a live piece on, or cancels it, as the provider does by itself. False when there is none. */
  move(id: number, status: PieceStatus, account?: number): boolean;
  /** Takes in live pieces that the first account had before the start. */
  adopt(pieces: readonly KnownPiece[]): void;
  /** The PDF of a live piece that the first account had before the start. */
  print(piece: KnownPiece): Promise<Buffer>;
  /** Makes a live piece as if it had never been there. False when there is none. */
  remove(id: number, account?: number): boolean;
  /** Changes how it differs from its reference; what is not named stays as it is. */
  behave(changes: Partial<Behaviour>): void;
  /** Makes the next fitting request go wrong. */
  fail(rule: FaultRule): FaultHandle;
  /** Data, received requests, keys, rate and faults as at the start, behaviour as documented; waiting requests are dropped undone. */
  reset(): void;
  /** Ends every connection. */
  close(): Promise<void>;
}

/**
 * Starts a direct-mail provider that behaves as the public reference documents, on this
 * machine and in memory. Rejects when the port is taken.
 */
export async function startMailProvider(options: MailProviderOptions): Promise<MailProvider> {
  const host = options.host ?? "127.0.0.1";
  const server = createServer((request, response) => void emulator?.serve(request, response));
  let emulator: Emulator | null = null;
  server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    else socket.destroy();
  });
  const { port, close } = await listen(server, options.port, host);
  const origin = `http://${nameHost(host)}:${port}`;
  const running = new Emulator({
    origin,
    apiKey: options.apiKey,
    statusStepMs: options.statusStepMs ?? 60_000,
    now: options.now ?? Date.now,
    rateLimitPerMinute: options.rateLimitPerMinute ?? 300,
    firstPieceId: options.firstPieceId ?? 16_800_001,
    templatePictures: options.templatePictures ?? false,
    random: options.random ?? Math.random,
    otherAccounts: options.otherAccounts ?? [],
    behaviour: { ...DOCUMENTED, ...options.behaviour },
  });
  emulator = running;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    received: running.received,
    overlappingKeys: running.openKeys.overlapping,
    get pieces() {
      return running.accounts.flatMap(({ store }) =>
        store.accepted.map((piece) => ({
          ...piece,
          accountId: store.accountId,
          status: store.statusOf(piece),
        })),
      );
    },
    webhooks: running.webhooks,
    move: (id, status, account) => running.move(id, status, account),
    adopt: (pieces) => running.adopt(pieces),
    print: (piece) => running.print(piece),
    remove: (id, account) => running.remove(id, account),
    behave: (changes) => running.behave(changes),
    fail: (rule) => running.desk.add(rule),
    reset: () => running.reset(),
    close: () => {
      running.webhooks.stop();
      running.desk.clear();
      return close();
    },
  };
}

/** A name the origin can be reached by from this machine. */
function nameHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
