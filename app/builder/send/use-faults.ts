import { useState } from "react";
import type { Finding } from "~/print/layout/finding";

/** A person's permission to send live mail that has a fault which ruins it. */
export type FaultsAllowed = ReturnType<typeof useFaults>["faults"];

/** Joins the texts of the faults that ruin a piece; "" without one. */
export function formatRuins(findings: readonly Finding[]): string {
  return findings.flatMap(({ tone, text }) => (tone === "ruins" ? [text] : [])).join(" ");
}

/**
 * Holds the findings of the preview, and a person's permission to send those that ruin the piece. Other faults need it again.
 * @param posted the faults that the server found, until the preview reports its own
 */
export function useFaults(couldBeLive: boolean, posted: string) {
  const [found, report] = useState<readonly Finding[] | null>(null);
  const [allowedFaults, setAllowed] = useState("");
  const ruins = found ? formatRuins(found) : posted;
  const faults = {
    /** True when permission is needed: live mail would have such a fault. */
    needed: couldBeLive && ruins !== "",
    ruins,
    allowed: allowedFaults === ruins,
    allow: (allowed: boolean) => setAllowed(allowed ? ruins : ""),
  };
  return { found, report, faults };
}
