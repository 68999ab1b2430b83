import { READ_ANSWER } from "./outside/mail-provider/call/read-answer.server";
import type { HeavyJob } from "./platform/heavy-work.server";
import { CHECK_FIELDS, CHECK_FILE, MEASURE_PDF, READ_PDF } from "./print/artwork/check-file.server";
import { DRAW_LETTER } from "./print/letter/draw-letter.server";
import { MAKE_LETTER_PDF } from "./print/letter/letter-pdf.server";
import { MAKE_PROOF_PDF } from "./print/letter/proof-pdf.server";
import { FORMAT_ANSWER, WRITE_ANSWER } from "./proxy/format-answer.server";
import { COMPARE_PARTS } from "./responses/comparison/compare-parts.server";

/** Entry of a pool's thread. `vite.config.ts` builds it as a bundle of its own. */

const JOBS = [
  CHECK_FIELDS,
  CHECK_FILE,
  COMPARE_PARTS,
  DRAW_LETTER,
  FORMAT_ANSWER,
  MAKE_LETTER_PDF,
  MAKE_PROOF_PDF,
  MEASURE_PDF,
  READ_ANSWER,
  READ_PDF,
  WRITE_ANSWER,
];

/** @throws the job's error */
export default async function run({ name, input }: { name: string; input: unknown }): Promise<unknown> {
  const job = (JOBS as HeavyJob<unknown, unknown>[]).find((each) => each.name === name);
  if (!job) throw new Error(`No heavy job is called ${name}`);
  return job.run(input);
}
