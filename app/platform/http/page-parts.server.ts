import { Transform, type TransformCallback } from "node:stream";

/**
 * A page's text in as few parts as it is made in. React writes parts of 2 KB, and Remix has each part that it reads
 * compressed and sent by itself: that cost more than making the page. React calls `flush` when it has no more for now.
 *
 * React 18 leaves up to three NUL bytes at the end of a part when the next character does not fit in it. A browser reads
 * them as U+FFFD in a field's value, so they are cut off.
 */
export class PageParts extends Transform {
  #waiting: Uint8Array[] = [];

  override _transform(part: Uint8Array, _encoding: BufferEncoding, done: TransformCallback): void {
    let end = part.length;
    while (part[end - 1] === 0) end--;
    this.#waiting.push(part.subarray(0, end));
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
