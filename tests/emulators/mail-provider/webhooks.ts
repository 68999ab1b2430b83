import { createHmac } from "node:crypto";
import { Courier } from "../deliver";
import { formatSpacedTime } from "./http/dates";
import type { MailPiece, PieceStatus } from "./mail-pieces";

/** One piece in a webhook event, in the words of reporting, not those of a piece. */
interface PieceEvent {
  id: number | string;
  status: string;
  type?: string;
  tags?: string;
}

export interface WebhookEvent {
  webhook_id: number;
  event: string;
  created: string;
  retries: number;
  mailpieces?: PieceEvent[];
}

interface WebhookTarget {
  url: string;
  /** Null: events are not signed. */
  secret: string | null;
}

const WORDS: Readonly<Record<string, string>> = { producing: "printing", handed_over: "dispatched" };

/** Sends changes of pieces to the subscriber, signed, and retries until they are accepted. */
export class ProviderWebhooks extends Courier {
  target: WebhookTarget | null = null;
  /** Three repetitions, half a minute apart. */
  retryDelaysMs: readonly number[] = [30_000, 30_000, 30_000];

  constructor(private readonly now: () => number) {
    super();
  }

  /** `X-Stannp-Signature` of a body. */
  sign(body: string, secret = this.target?.secret ?? ""): string {
    return createHmac("sha256", secret).update(body).digest("hex");
  }

  describe(pieces: PieceEvent[], event = "mailpiece_status"): WebhookEvent {
    return { webhook_id: 11, event, created: formatSpacedTime(this.now()), retries: 0, mailpieces: pieces };
  }

  /** Subscribes, as the account's settings do: the ping must be answered with 200. Returns its status. */
  async subscribe(target: WebhookTarget): Promise<number | null> {
    this.target = target;
    const created = formatSpacedTime(this.now());
    return this.attempt({ webhook_id: 0, event: "test_url", created, retries: 0 });
  }

  announce({ id, type, tags }: MailPiece, status: PieceStatus): void {
    if (this.target === null) return;
    const event = this.describe([{ id, status: WORDS[status] ?? status, type, tags }]);
    const attempt = async (retries: number) => (await this.attempt({ ...event, retries })) === 200;
    void this.deliver(this.retryDelaysMs, attempt);
  }

  /** Makes one attempt now; returns its status, or null when there was no answer. */
  async attempt(event: WebhookEvent): Promise<number | null> {
    const body = JSON.stringify(event);
    const { url, secret = null } = this.target ?? {};
    const headers: Record<string, string> =
      secret === null ? {} : { "X-Stannp-Signature": this.sign(body, secret) };
    return url === undefined ? null : this.post(url, headers, body);
  }
}
