import type { IncomingMessage, ServerResponse } from "node:http";
import { type Behaviour, DOCUMENTED } from "./faults/behaviour";
import { Abandoned, type ActiveFault, FaultDesk, type FaultHandle } from "./faults/fault-desk";
import { findDistortion, findReplacement } from "./faults/fault-replies";
import type { FaultRule } from "./faults/fault-rule";
import { findKey, IdempotencyMemory, OpenKeys } from "./http/idempotency";
import { RateLimit } from "./http/rate-limit";
import { breakConnection, type Reply, refuse, sendHalf, sendReply } from "./http/reply";
import { decodeBody, ReceivedRequest, type RequestAddress, readRequestAddress } from "./http/request";
import { type MailPiece, movePiece, type PieceStatus, statusOf } from "./mail-pieces";
import { type Account, answerRequest, holdsKey } from "./routes/answering";
import { renderSamplePdf } from "./sample-pdf";
import { addKnownPiece, describeKnownPiece, type KnownPiece, seedMail } from "./seed-mail";
import { seedPeople } from "./seed-people";
import { type Settings, Store } from "./store";
import { ProviderWebhooks } from "./webhooks";

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const KEPT_REQUESTS = 10_000;
const FIRST_ACCOUNT_ID = 4817;

/** An additional account. Its data is like the first one's. */
interface OtherAccount {
  apiKey: string;
  /** ID of its first sent piece; defaults to the first account's, so that ids of the two are equal. */
  firstPieceId?: number;
}

export interface EmulatorSettings extends Settings {
  apiKey: string;
  /** Accounts with their own keys. All send their changes to the same webhook. */
  otherAccounts: readonly OtherAccount[];
  rateLimitPerMinute: number;
  random: () => number;
}

/** One mail piece (or test) that was accepted through the API, with its account. */
export type AcceptedPiece = MailPiece & { accountId: string; status: PieceStatus };

/** The running provider: each request passes recording, faults and answering. */
export class Emulator {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** `<origin>/v1`; `<origin>/global/v1` and `<origin>/api/v1` (takes `.json` endings) lead to the same. */
  readonly baseUrl: string;
  readonly desk: FaultDesk;
  /** The latest requests in the order of their arrival. */
  readonly received: ReceivedRequest[] = [];
  readonly openKeys = new OpenKeys();
  /** Sends changes to a webhook; none is subscribed at first. */
  readonly webhooks: ProviderWebhooks;
  accounts: Account[];

  constructor(
    readonly settings: EmulatorSettings,
    readonly stop: () => Promise<void>,
  ) {
    this.origin = settings.origin;
    this.baseUrl = `${settings.origin}/v1`;
    this.desk = new FaultDesk(settings.random);
    this.webhooks = new ProviderWebhooks(settings.now);
    this.accounts = openAccounts(settings, this.webhooks);
  }

  /** Idempotency keys used by a request while an earlier one with the same key was still open. */
  get overlappingKeys(): readonly string[] {
    return this.openKeys.overlapping;
  }

  /** Every piece and test accepted through the API since the start or the last reset, account by account. */
  get pieces(): AcceptedPiece[] {
    return this.accounts.flatMap(({ store }) =>
      store.accepted.map((piece) => ({
        ...piece,
        accountId: store.accountId,
        status: store.statusOf(piece),
      })),
    );
  }

  /** Makes the next matching request fail. */
  fail(rule: FaultRule): FaultHandle {
    return this.desk.add(rule);
  }

  /** Changes its deviations from the reference; those that are not named stay as they are. */
  behave(changes: Partial<Behaviour>): void {
    Object.assign(this.settings.behaviour, changes);
  }

  /** Moves a live piece to a status, or cancels it, as the provider does on its own. False when there is none. */
  move(id: number, status: PieceStatus, account = 0): boolean {
    const { store } = this.findAccount(account);
    const piece = store.pieces.get(id);
    if (!piece) return false;
    movePiece(piece, status, this.settings);
    store.onChange(piece);
    return true;
  }

  /** Adds live pieces that the first account had before the start. */
  adopt(pieces: readonly KnownPiece[]): void {
    for (const piece of pieces) addKnownPiece(this.findAccount(0).store, piece);
  }

  /** The PDF of such a piece. */
  print(piece: KnownPiece): Promise<Buffer> {
    return renderSamplePdf(describeKnownPiece(this.findAccount(0).store, piece));
  }

  /** Removes a live piece without a trace. False when there is none. */
  remove(id: number, account = 0): boolean {
    return this.findAccount(account).store.pieces.delete(id);
  }

  findAccount(place: number): Account {
    const account = this.accounts[place];
    if (!account) throw new RangeError(`The provider has no account number ${place}`);
    return account;
  }

  /** Ends every connection. */
  close(): Promise<void> {
    this.webhooks.stop();
    this.desk.clear();
    return this.stop();
  }

  /**
   * Resets data, received requests, keys, rate and faults to the start, and behaviour to the documented one; drops
   * waiting requests without effect.
   */
  reset(): void {
    this.desk.clear();
    this.received.length = 0;
    this.openKeys.forget();
    this.behave(DOCUMENTED);
    this.accounts = openAccounts(this.settings, this.webhooks);
  }

  /** Answers one request; never throws for any input. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const rawBody = await readBody(request);
      if (rawBody === null) {
        sendReply(response, { ...refuse(413, "The request is too large"), headers: { Connection: "close" } });
      } else {
        await this.#converse(request, rawBody, response);
      }
    } catch (error) {
      if (error instanceof Abandoned || response.headersSent || response.destroyed) breakConnection(response);
      else sendReply(response, refuse(500, "Internal server error"));
    }
  }

  async #converse(message: IncomingMessage, rawBody: Buffer, response: ServerResponse): Promise<void> {
    const address = readRequestAddress(message.url ?? "/");
    const request = await this.#record(message, address, rawBody);
    const key = findKey(request);
    if (key !== null) this.openKeys.enter(key, response);
    const active = this.desk.take(request.method, address.segments.join("/"));
    const fault = active?.fault;
    // The first account refuses requests with an unknown key.
    const own = this.accounts.find((one) => holdsKey(one, request));
    const account = own ?? this.findAccount(0);
    if (this.settings.behaviour.hangs) return;
    if (fault?.kind === "reset-before") return breakConnection(response);
    if (fault?.kind === "timeout" && fault.moment !== "after") return;
    const { authorization = "" } = request.headers;
    const replacement = fault ? findReplacement(fault, authorization, account) : null;
    const reply = replacement ?? (await this.#operate(account, request, address, active));
    if (fault?.kind === "reset-after") return breakConnection(response);
    if (fault?.kind === "timeout") return;
    const distorted = (fault && findDistortion(fault)) ?? reply;
    const complete = { ...distorted, headers: { ...account.rateLimit.describe(), ...distorted.headers } };
    request.answeredStatus = complete.status;
    if (fault?.kind === "truncate") sendHalf(response, complete);
    else sendReply(response, complete);
  }

  async #operate(
    account: Account,
    request: ReceivedRequest,
    address: RequestAddress,
    active: ActiveFault | null,
  ): Promise<Reply> {
    const kind = active?.fault.kind;
    const forcedTest = kind === "answer-test" ? true : kind === "answer-live" ? false : null;
    const ready = this.desk.waitAt("before", active);
    // The promise is awaited below; an earlier refusal must not leave its rejection unhandled.
    ready.catch(() => {});
    const reply = await answerRequest(account, request, address, { ready, forcedTest });
    await ready;
    await this.desk.waitAt("after", active);
    return reply;
  }

  async #record(
    message: IncomingMessage,
    address: RequestAddress,
    rawBody: Buffer,
  ): Promise<ReceivedRequest> {
    const headers = Object.fromEntries(
      Object.entries(message.headersDistinct).map(([name, values]) => [name, values?.join(", ") ?? ""]),
    );
    const request = new ReceivedRequest(
      message.method ?? "GET",
      address.path,
      address.prefix,
      message.url ?? "/",
      [...address.query],
      headers,
      rawBody,
      decodeBody(headers["content-type"] ?? "", rawBody),
    );
    // Downloads without a key are not calls of the API.
    const isDownload = request.method === "GET" && address.path.startsWith("storage/get/");
    if (!isDownload) this.received.push(request);
    if (this.received.length > KEPT_REQUESTS) this.received.shift();
    return request;
  }
}

function openAccounts(settings: EmulatorSettings, webhooks: ProviderWebhooks): Account[] {
  const { apiKey, otherAccounts, now, behaviour } = settings;
  const shared = new IdempotencyMemory(now, behaviour);
  return [{ apiKey }, ...otherAccounts].map((about, place) => {
    const store = new Store({ ...settings, ...about }, String(FIRST_ACCOUNT_ID + place));
    store.onChange = (piece) => webhooks.announce(piece, statusOf(piece, settings));
    seedPeople(store);
    seedMail(store);
    const own = new IdempotencyMemory(now, behaviour);
    return {
      apiKey: about.apiKey,
      store,
      get memory() {
        return behaviour.idempotency === "all-accounts" ? shared : own;
      },
      rateLimit: new RateLimit(settings.rateLimitPerMinute, now, behaviour),
    };
  });
}

/** Reads the whole body; null when it exceeds the size limit. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request) {
    sizeBytes += chunk.length;
    if (sizeBytes <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  return sizeBytes > MAX_BODY_BYTES ? null : Buffer.concat(chunks);
}
