import { READ_ANSWER } from "./outside/mail-provider/call/read-answer.server";
import type { HeavyJob } from "./platform/heavy-work.server";
import { CHECK_FIELDS } from "./print/artwork/check-fields.server";
import { CHECK_FILE } from "./print/artwork/check-file.server";
import { DRAW_LETTER } from "./print/letter/draw-letter.server";
import { MAKE_LETTER_PDF } from "./print/letter/letter-pdf.server";
import { MAKE_PROOF_PDF } from "./print/letter/proof-pdf.server";
import { FORMAT_ANSWER, WRITE_ANSWER } from "./proxy/format-answer.server";
import { COMPARE_PARTS } from "./responses/comparison/compare-parts.server";

/** What a thread of the pool runs: a bundle of its own beside the server's, made by `vite.config.ts`. */

const JOBS = [
  CHECK_FIELDS,
  CHECK_FILE,
  COMPARE_PARTS,
  DRAW_LETTER,
  FORMAT_ANSWER,
  MAKE_LETTER_PDF,
  MAKE_PROOF_PDF,
  READ_ANSWER,
  WRITE_ANSWER,
];

/** @throws whatever the job throws */
export default async function run({ name, input }: { name: string; input: unknown }): Promise<unknown> {
  const job = (JOBS as HeavyJob<unknown, unknown>[]).find((each) => each.name === name);
  if (!job) throw new Error(`No heavy job is called ${name}`);
  return job.run(input);
}
