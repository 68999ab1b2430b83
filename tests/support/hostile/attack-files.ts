import fc from "fast-check";
import { checkFile } from "~/print/artwork/check-file";
import { FRONT_BACK, LETTER_PDF, SIGNATURE } from "~/print/artwork/file-rules";
import { FILE_CORPUS } from "../files/file-corpus";

/** Larger files are tested by the corpus itself. */
const LARGEST_BYTES = 200_000;
/** A check reads each byte once. */
const SLOW_MS = 500;

/** Checks files of the corpus after some of their bytes, their end or their order were changed. Returns problems. */
export async function attackFiles({ seed, checks }: { seed: number; checks: number }): Promise<string[]> {
  const corpus = await Promise.all(FILE_CORPUS.map(({ make }) => make()));
  const whole = fc.constantFrom(...corpus.filter(({ length }) => length > 0 && length <= LARGEST_BYTES));
  const damaged = fc
    .record({
      bytes: whole,
      other: whole,
      at: fc.nat(),
      kind: fc.nat(19),
      changes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 20 }),
    })
    .map(({ bytes, other, at, kind, changes }) => {
      const start = bytes.slice(0, at % bytes.length);
      if (kind < 3) return start;
      if (kind < 6) return Buffer.concat([start, other]);
      if (kind < 8) return Buffer.concat([start, bytes]);
      const changed = Uint8Array.from(bytes);
      for (const [place, byte] of changes) changed[place % changed.length] = byte;
      return changed;
    });
  const property = fc.property(
    damaged,
    fc.constantFrom(FRONT_BACK, SIGNATURE, LETTER_PDF),
    (bytes, rules) => {
      const startedAt = performance.now();
      checkFile(bytes, rules);
      return performance.now() - startedAt < SLOW_MS;
    },
  );
  const result = await fc.check(property, { seed, numRuns: checks, endOnFailure: true });
  return result.failed ? [`file ${result.numRuns}: ${String(result.errorInstance ?? "slow")}`] : [];
}
