import { Transform, type TransformCallback } from "node:stream";

/**
 * Joins the 2 KB parts that React writes until it calls `flush`. Compressing and sending each part costs more than rendering
 * the page.
 *
 * Cuts the NUL bytes that React 18 leaves at the end of a part when the next character does not fit. A browser would show
 * them as U+FFFD in a field's value.
 */
export class PageParts extends Transform {
  #waiting: Uint8Array[] = [];

  override _transform(part: Uint8Array, _encoding: BufferEncoding, done: TransformCallback): void {
    let end = part.length;
    while (part[end - 1] === 0) end--;
    this.#waiting.push(part.subarray(0, end));
    done();
  }

  /** Passes on the parts written so far. */
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
