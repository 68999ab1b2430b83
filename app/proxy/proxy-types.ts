import type { AddressCheckNote } from "~/pieces/address-note";
import type { MailType } from "~/pieces/mail-type";
import type { TestedPieceOffer } from "~/pieces/tested/tested-offer.server";

/** The wire shapes of `POST /api/stannp`: proxy request and proxy response. */

export interface ProxyRequest {
  /** One of the allowed base URLs; the first of them when absent. */
  baseUrl?: string;
  /** Relative to the base URL; `__probe__` asks whether the server has a key. */
  path: string;
  method: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  auth?: { strategy: "env" };
  /** Kept for the contract: the base URL's label decides whether `.json` is appended. */
  flags?: { appendJson?: boolean };
  /** Who pays; the signed-in user when absent. */
  user_id?: string | null;
  /** The mode that the caller was shown: false refuses a send that turns out to be live mail. */
  expect_live?: boolean;
  /**
   * Sends that tested piece live. The call must be the tested one with `test` off. It has an idempotency key of its own.
   */
  tested_piece_id?: string;
  /**
   * Refuses live mail (409) when the same piece was sent in the last seven days, unless this is the id of that send.
   * Absent: no one looks.
   */
  known_duplicate?: string | null;
  /** 10 to 200 of `A-Z a-z 0-9 . _ : -`: one key, one body, one mail piece. */
  idempotency_key?: string;
  /** The result of the address check; stored with a live send. */
  address_check?: AddressCheckNote | null;
  /** Id of the preset it was made from; by it the stored response is named. */
  endpoint_preset?: string | null;
  /** False keeps the answer out of the stored responses: a call of the page itself. */
  save?: boolean;
  /** Tags of the stored response, up to 20; `auto-saved` when absent or empty. */
  tags?: string[];
}

/** The answer to `__probe__`. */
export interface ProbeResponse {
  hasServerKey: boolean;
}

export interface CreditOutcome {
  success: boolean;
  mailType: MailType | null;
  creditsDeducted: number;
  newBalance: number | null;
  userId: string | null;
  error: string | null;
  /** The outcome is not stored yet; it will be, once. */
  pending?: true;
  /** Credits set aside for this send until its outcome is known. */
  held?: number;
  /** The refund of a cancel, in credits. */
  creditsRefunded?: number;
  /** This tells of an earlier send with the same key. */
  replayed?: true;
}

/** The send that a refused one would have repeated. */
export interface DuplicateOf {
  send_id: string;
  /** The tested piece that was to be sent live. */
  tested_piece_id: string | null;
}

/** The request as it was sent, with secrets masked. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Cut after 256 KB, with a line that says so. */
  body: string | null;
}

export interface ProxyResponse {
  /** The provider's status; null when no answer of the provider was read. */
  status: number | null;
  /** The inner `data` of the provider's `{success, data}` envelope, else its parsed body; null when not JSON. */
  data: unknown;
  /** The provider's body verbatim, secrets masked; the size of a file: "binary, 1,051 bytes". */
  text: string | null;
  /** The bytes of a body that is not exactly `text` in UTF-8. */
  base64?: string;
  /** Why this is not a success; null when it is one. */
  error: string | null;
  durationMs: number;
  url: string;
  /** Null when nothing was sent. */
  request: SentRequest | null;
  /** The provider's headers, names in lower case. */
  headers: Record<string, string>;
  /** The next step in one sentence. */
  hint: string | null;
  /** Only for live letters and postcards, and for their cancels. */
  credits: CreditOutcome | null;
  /** A live send whose outcome is not known. */
  pending?: true;
  /** The same key and body as before: nothing was done a second time. */
  replayed?: true;
  /** The send's own page is `/sends/<send_id>`. */
  send_id?: string;
  /** The id of a test at `/api/pieces`. */
  piece_id?: string;
  /** Present when this test can be sent live. */
  tested_piece?: TestedPieceOffer;
  /** The answer is, or in a moment will be, the stored response `/stored/<response_id>`. */
  response_id?: string;
  /** Why a live send was held back (409): the same piece was sent before. */
  duplicate_of?: DuplicateOf;
  /** Why a live send could not be paid (402), in credits. */
  balance?: number;
  cost?: number;
  shortfall?: number;
  buy_url?: string;
}
