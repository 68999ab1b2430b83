import { randomBytes } from "node:crypto";
import type { Behaviour } from "./faults/behaviour";
import { Refusal } from "./http/reply";
import { type Clock, type MailPiece, type MailType, statusOf } from "./mail-pieces";
import type { PostalAddress } from "./postal-address";
import type { SamplePdf } from "./sample-pdf";

/** A recipient in the provider's answers: every value is text. */
export type Recipient = PostalAddress &
  Record<"id" | "account_id" | "job_title" | "dps" | "email" | "phone_number" | "ref_id", string> &
  Record<"blacklist" | "created" | "updated", string>;

interface Group {
  id: string;
  name: string;
  created: string;
  members: Recipient[];
}

/** A template in the provider's lists: every value is text. */
type Template = Record<"id" | "template_name" | "size", string> & Record<string, string>;

export interface Settings extends Clock {
  /** The origin that serves samples, e.g. `http://127.0.0.1:4010`. */
  origin: string;
  /** ID of the first piece that is sent. */
  firstPieceId: number;
  /** False when the page allows no plain http and therefore cannot show them. */
  templatePictures: boolean;
  /** Changes while the provider runs. */
  behaviour: Behaviour;
}

/** Samples' artwork is in memory; the oldest are removed, as the provider's samples expire. */
const MAX_SAMPLES = 500;

/** The data of an account, all in memory. */
export class Store {
  readonly recipients = new Map<string, Recipient>();
  readonly groups = new Map<string, Group>();
  readonly templates = new Map<string, Template>();
  /** Live pieces by id, the starting data among them. */
  readonly pieces = new Map<number, MailPiece>();
  /** Pieces accepted through the API since the start, test or live, in order. */
  readonly accepted: MailPiece[] = [];
  readonly samples = new Map<string, SamplePdf>();
  /** Called after a piece was cancelled or moved. */
  onChange: (piece: MailPiece) => void = () => {};
  /** In ten-thousandths, as balances have four decimals. */
  balanceUnits = 24_186_600;
  #nextRecipientId = 1001;
  #nextPieceId: number;

  constructor(
    readonly settings: Settings,
    readonly accountId: string,
  ) {
    this.#nextPieceId = settings.firstPieceId;
  }

  takeRecipientId(): string {
    return String(this.#nextRecipientId++);
  }

  takePieceId(): number {
    return this.#nextPieceId++;
  }

  /** @throws Refusal 404 */
  requireRecipient(id: string): Recipient {
    const recipient = this.recipients.get(id);
    if (!recipient) throw new Refusal(404, "Recipient not found");
    return recipient;
  }

  removeRecipient(id: string): void {
    const recipient = this.requireRecipient(id);
    this.recipients.delete(id);
    for (const group of this.groups.values())
      group.members = group.members.filter((one) => one !== recipient);
  }

  /** @throws Refusal 404 */
  requireGroup(id: string): Group {
    const group = this.groups.get(id);
    if (!group) throw new Refusal(404, "Group not found");
    return group;
  }

  /** @throws Refusal 404 */
  requireTemplate(id: string): Template {
    const template = this.templates.get(id);
    if (!template) throw new Refusal(404, "Template not found");
    return template;
  }

  /**
   * Finds a live piece of that type. Id 0 and a piece of the other type count as unknown: the provider's answer to
   * them is not published.
   * @throws Refusal 404
   */
  requirePiece(id: string, type: MailType | null): MailPiece {
    const piece = /^\d{1,15}$/.test(id) ? this.pieces.get(Number(id)) : undefined;
    if (!piece || (type !== null && piece.type !== type)) {
      throw new Refusal(404, `${type === null ? "Mailpiece" : capitalise(type)} not found`);
    }
    return piece;
  }

  listPieces(type: MailType | null): MailPiece[] {
    return [...this.pieces.values()].filter((piece) => type === null || piece.type === type).reverse();
  }

  statusOf(piece: MailPiece) {
    return statusOf(piece, this.settings);
  }

  /** Makes a sample downloadable without a key, like the provider's. Returns its address. */
  publishSample(name: string, sample: SamplePdf): string {
    const file = `${randomBytes(8).toString("hex")}/${name}.pdf`;
    this.samples.set(file, sample);
    const [oldest] = this.samples.keys();
    if (this.samples.size > MAX_SAMPLES && oldest) this.samples.delete(oldest);
    return `${this.settings.origin}/v1/storage/get/${file}`;
  }

  /** Deducts from the balance (or adds, when negative). An amount is a decimal text such as "0.99". */
  charge(cost: string, direction: 1 | -1): void {
    this.balanceUnits -= Math.round(Number(cost) * 10_000) * direction;
  }

  /** @returns e.g. "214.4200" */
  formatBalance(): string {
    return (this.balanceUnits / 10_000).toFixed(4);
  }
}

function capitalise(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
