import { randomUUID } from "node:crypto";
import type { BaseUrl } from "~/platform/env-values.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { dataOf, FACTS, type Fact, isLiveMail } from "./facts.server";
import { findHome } from "./home-country";
import { callCancel } from "./piece.server";
import { type Answers, askProbe, drawArtwork, PROBES, type ProbeName } from "./probes.server";

/** Outcome of one fact. `untested`: this account cannot show it. `unasked`: there was no answer. */
export interface CheckedFact {
  fact: Fact;
  verdict: "holds" | "differs" | "untested" | "unasked";
  /** The observation, or the reason why there is none. */
  seen: string;
}

const LIMITS = { calls: 40, totalMs: 60_000, callMs: 20_000 };

/**
 * Checks every fact with the account of a base URL, by reads and tests only. Cancels a test that is accepted as real mail, and
 * stops. Fails with `provider_unreachable`, or `provider_refused` when our key is refused.
 */
export async function verifyFacts(base: BaseUrl): Promise<Outcome<CheckedFact[]>> {
  const endsAt = performance.now() + LIMITS.totalMs;
  const answers: Partial<Answers> = {};
  const problems: Partial<Record<ProbeName, string>> = {};
  const context = { home: findHome(base), artwork: await drawArtwork(base), key: randomUUID(), answers };
  let calls = 0;
  let stopped: string | null = null;
  for (const name of Object.keys(PROBES) as ProbeName[]) {
    const probe = PROBES[name](context);
    const leftMs = Math.floor(endsAt - performance.now());
    if (calls >= LIMITS.calls || leftMs < 1) stopped ??= "The limit of 40 calls or 60 s was reached.";
    if (probe === null || stopped !== null) {
      problems[name] = stopped ?? "An earlier answer names nothing to ask for.";
      continue;
    }
    calls += 1;
    const answer = await askProbe(base, probe, Math.min(leftMs, LIMITS.callMs));
    if (typeof answer === "string") {
      if (name === "account") return fail("provider_unreachable", answer);
      problems[name] = answer;
      continue;
    }
    if (name === "account" && (answer.status === 401 || answer.status === 403)) {
      return fail("provider_refused", `The provider refuses this key (${answer.status}).`);
    }
    if (answer.status === 429) {
      problems[name] = stopped = "The provider's rate limit is used up.";
      continue;
    }
    answers[name] = answer;
    if (probe.kind !== "sample" || !isLiveMail(answer)) continue;
    stopped = await cancelMailed(base, probe.type, String(dataOf(answer).id ?? ""));
  }
  return succeed(FACTS.map((fact) => checkFact(fact, answers, problems)));
}

function checkFact(
  fact: Fact,
  answers: Partial<Answers>,
  problems: Partial<Record<ProbeName, string>>,
): CheckedFact {
  const problem = fact.probes.map((name) => problems[name]).find((text) => text !== undefined);
  if (problem !== undefined) return { fact, verdict: "unasked", seen: problem };
  const seen = fact.see(answers as Answers);
  if (typeof seen !== "string") return { fact, verdict: "untested", seen: seen.untested };
  return { fact, verdict: fact.expected.includes(seen) ? "holds" : "differs", seen };
}

async function cancelMailed(base: BaseUrl, type: "letter" | "postcard", id: string): Promise<string> {
  const { outcome } = await callCancel({ baseUrl: base.url, type, id }, LIMITS.callMs);
  const end =
    outcome.kind === "cancelled" ? "It was cancelled." : "Cancel it in the provider's dashboard now.";
  return `A test was accepted as real mail, as ${type} ${id || "without an ID"}. ${end} Nothing more was asked.`;
}
