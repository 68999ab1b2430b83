import type { Fields } from "./fields";

/** One request as it arrived, kept for tests to look at. */
export class ReceivedRequest {
  /** What it was answered with; null while it is unanswered, for ever when a fault broke it off. */
  answeredStatus: number | null = null;

  constructor(
    readonly method: string,
    /** Below the base, as it arrived: `recipients/list`. */
    readonly path: string,
    /** The base: `/v1`, `/global/v1`, `/api/v1`, or "" for none. */
    readonly prefix: string,
    readonly rawUrl: string,
    readonly query: [name: string, value: string][],
    /** Names in lower case; repeated headers are joined by commas. */
    readonly headers: Readonly<Record<string, string>>,
    readonly rawBody: Buffer,
    /** The decoded fields, brackets expanded; null when the body does not fit its content type. */
    readonly body: Fields | null,
  ) {}

  get contentType(): string {
    return this.headers["content-type"] ?? "";
  }

  get rawText(): string {
    return this.rawBody.toString("utf8");
  }
}
