import type { Finding } from "../app/credits/ledger/verify-ledger.server";

/** Prints what was found in the books, one line per rule and one per problem. True when all is right. */
export function printFindings(findings: readonly Finding[]): boolean {
  for (const finding of findings) process.stdout.write(formatFinding(finding));
  const broken = findings.filter(({ ok }) => !ok).map(({ id }) => id);
  process.stdout.write(
    broken.length === 0 ? "The books are right.\n" : `The books are WRONG: ${broken.join(", ")}.\n`,
  );
  return broken.length === 0;
}

function formatFinding({ id, rule, ok, checked, broken, problems }: Finding): string {
  const head = `${id.padEnd(4)}${ok ? "ok" : "BROKEN"}  ${rule} ${checked} looked at, ${broken} broken.\n`;
  const more = broken > problems.length ? [`and ${broken - problems.length} more`] : [];
  return head + [...problems, ...more].map((line) => `      ${line}\n`).join("");
}
