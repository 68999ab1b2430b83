import { Transform, type TransformCallback } from "node:stream";

/**
 * A page's text in as few parts as it is made in. React writes parts of 2 KB, and Remix has each part that it reads
 * compressed and sent by itself: that cost more than making the page. React calls `flush` when it has no more for now.
 */
export class PageParts extends Transform {
  #waiting: Uint8Array[] = [];

  override _transform(part: Uint8Array, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#waiting.push(part);
    done();
  }

  /** Passes on what was written until now. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    this.push(Buffer.concat(this.#waiting));
    this.#waiting = [];
  }

  override _flush(done: TransformCallback): void {
    this.flush();
    done();
  }
}
