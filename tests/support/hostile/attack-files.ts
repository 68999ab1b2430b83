import { checkFile } from "~/print/artwork/check-file";
import { FRONT_BACK, LETTER_PDF, SIGNATURE } from "~/print/artwork/file-rules";
import { FILE_CORPUS } from "../files/file-corpus";
import { createRandom, type Random } from "../random";

const RULES = [FRONT_BACK, SIGNATURE, LETTER_PDF];
/** Larger ones are the business of the corpus itself. */
const LARGEST_BYTES = 200_000;
/** A check looks at each byte once. */
const SLOW_MS = 500;

export interface FileFigures {
  checked: number;
  slowestMs: number;
  problems: string[];
}

/** Checks files of the corpus after some of their bytes, their end or their order were changed. */
export async function attackFiles({ seed, checks }: { seed: number; checks: number }): Promise<FileFigures> {
  const random = createRandom(seed);
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const corpus = await Promise.all(
    FILE_CORPUS.map(async ({ name, make }) => ({ name, bytes: await make() })),
  );
  const whole = corpus.filter(({ bytes }) => bytes.length > 0 && bytes.length <= LARGEST_BYTES);
  const figures: FileFigures = { checked: 0, slowestMs: 0, problems: [] };
  while (figures.checked < checks) {
    const { name, bytes } = pick(whole);
    const damaged = damage(bytes, pick(whole).bytes, random);
    const startedAt = performance.now();
    try {
      checkFile(damaged, pick(RULES));
    } catch (error) {
      figures.problems.push(`file ${figures.checked} (${name}): ${String(error)}`);
    }
    const tookMs = Math.round(performance.now() - startedAt);
    if (tookMs > SLOW_MS) figures.problems.push(`file ${figures.checked} (${name}) took ${tookMs} ms`);
    figures.slowestMs = Math.max(figures.slowestMs, tookMs);
    figures.checked += 1;
  }
  return figures;
}

function damage(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  const kind = random();
  const at = Math.floor(random() * bytes.length);
  if (kind < 0.15) return bytes.slice(0, at);
  if (kind < 0.3) return Buffer.concat([bytes.slice(0, at), other]);
  if (kind < 0.4) return Buffer.concat([bytes.slice(0, at), bytes]);
  const changed = Uint8Array.from(bytes);
  for (let left = 1 + random() * 20; left > 0; left--) {
    changed[Math.floor(random() * changed.length)] = Math.floor(random() * 256);
  }
  return changed;
}
