import { parseArgs } from "node:util";
import { writeMoney } from "../app/credits/purchases/format-money";
import { env } from "../app/platform/env.server";
import { formatCount } from "../app/platform/format-integer";
import type { Outcome } from "../app/platform/outcome";
import { parsePeriod, type Reconciliation, reconcile } from "../app/reconciliation/reconcile.server";
import { reconcileStripe, type StripeReconciliation } from "../app/reconciliation/reconcile-stripe.server";
import { ALL_AGREE, type Finding, GROUPS, KEY_MISSING } from "../app/reconciliation/reconciliation";
import { print, runCommand, withTarget } from "./command";

/**
 * `npm run reconcile -- --from 2026-11-01 --to 2026-11-21`: compares the charges of these days (UTC; default: the last 30) with
 * the provider's mail, and purchases with Stripe if it is configured. Changes no credits. Exit code 0: all agree; 1:
 * differences; 2: not everything could be compared. The database may be in use; an embedded one only by a console in
 * development.
 */
const DISAGREES = 1;
const INCOMPLETE = 2;
const TIME_LIMIT_MS = 15 * 60_000;
const SHOWN_FOREIGN = 20;

await runCommand("Nothing was compared.", INCOMPLETE, async () => {
  const { values } = parseArgs({ options: { from: { type: "string" }, to: { type: "string" } } });
  const period = parsePeriod(values, new Date());
  if (!period.ok) return refuse(period.failure.message);
  return withTarget("reconcile", async (run) => {
    const mail = conclude(await reconcile(period.value, { limitMs: TIME_LIMIT_MS, run }));
    const payments = env().stripe ? concludeStripe(await reconcileStripe(period.value, { run })) : 0;
    return [mail, payments].includes(DISAGREES) ? DISAGREES : Math.max(mail, payments);
  });
});

function conclude(compared: Outcome<Reconciliation>): number {
  if (!compared.ok) return refuse(compared.failure.details ?? compared.failure.message);
  const { period, baseUrls, findings, isComplete } = compared.value;
  print(`Mailroom and the provider, ${period.from} to ${period.to}`);
  for (const { label, url, pieces, problem } of baseUrls) {
    print(`${label} ${url}: ${pieces} pieces listed.${problem === null ? "" : ` ${problem}`}`);
  }
  for (const { title, kinds } of GROUPS) {
    const found = findings.filter(({ kind }) => kinds.includes(kind));
    print(`${title}: ${found.length}`);
    for (const finding of found) print(formatFinding(finding));
  }
  printRest(compared.value);
  return printResult(findings.length, isComplete);
}

function concludeStripe(compared: Outcome<StripeReconciliation>): number {
  if (!compared.ok) {
    return refuse(compared.failure.details ?? compared.failure.message, "Purchases were not compared.");
  }
  const { period, findings, agreed, foreign, waiting, money, isComplete } = compared.value;
  print(`Mailroom and Stripe, ${period.from} to ${period.to}`);
  for (const { checkoutId, buyer, what, next } of findings) {
    print(`      purchase ${checkoutId}${buyer === null ? "" : ` of ${buyer}`}: ${what} ${next}`);
  }
  for (const { currency, paidCents, feeCents } of money) {
    const [paid, fees] = [paidCents, feeCents].map((cents) => writeMoney(cents, currency));
    print(`Paid for credits: ${paid} ${currency.toUpperCase()}, of which Stripe kept ${fees}`);
  }
  print(`Not from Mailroom: ${foreign}`);
  if (waiting > 0) print(`Paid within the last hour, to be compared later: ${waiting}`);
  print(`Paid, with their credits added: ${agreed}`);
  return printResult(findings.length, isComplete);
}

function printResult(differences: number, isComplete: boolean): number {
  if (differences > 0) {
    print(`They do NOT agree: ${formatCount(differences, "difference")} found.`);
    return DISAGREES;
  }
  print(isComplete ? ALL_AGREE : "No differences so far, but NOT everything could be compared.");
  return isComplete ? 0 : INCOMPLETE;
}

function formatFinding({ send, mailId, what, next }: Finding): string {
  const piece = send
    ? `${send.type} of ${send.payer}, sent ${send.createdAt.toISOString().slice(0, 10)}, mail ID ${mailId ?? "unknown"}`
    : `mail ID ${mailId}`;
  const page = send ? ` ${env().appOrigin}/sends/${send.id}` : "";
  return `      ${piece}: ${what} ${next}${page}`;
}

function printRest({ agreed, foreign, behind, moving, unseen, isRead }: Reconciliation): void {
  print(`Not from Mailroom: ${foreign.length}`);
  for (const { id, type, status, cost } of foreign.slice(0, SHOWN_FOREIGN)) {
    print(`      ${type || "piece"} ${id}, ${status}, ${cost ?? "no cost"}`);
  }
  if (foreign.length > SHOWN_FOREIGN) print(`      and ${foreign.length - SHOWN_FOREIGN} more`);
  if (behind.length > 0) print(`Status behind the provider's, to be refreshed: ${behind.length}`);
  if (moving > 0) print(`Still being sent or cancelled, to be compared later: ${moving}`);
  if (unseen > 0) print(`Charged here, could not be compared: ${unseen}${isRead ? `. ${KEY_MISSING}` : ""}`);
  print(`Charged and at the provider: ${agreed}`);
}

function refuse(reason: string, undone = "Nothing was compared."): number {
  process.stderr.write(`${undone} ${reason.replace(/ ?Nothing was compared\.$/, "")}\n`);
  return INCOMPLETE;
}
