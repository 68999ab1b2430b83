import { useState } from "react";
import type { Finding } from "~/print/layout/finding";

/** A person's permission to send live mail that has a fault which ruins it. */
export interface FaultsAllowed {
  /** True when a person is asked: live mail would have such a fault. */
  asked: boolean;
  /** True when these very faults are allowed. */
  allowed: boolean;
  allow: (allowed: boolean) => void;
}

/** The faults that the preview found, and whether a person allows those that ruin the piece. Another fault asks again. */
export function useFaults(couldBeLive: boolean) {
  const [found, report] = useState<readonly Finding[] | null>(null);
  const [allowedFaults, setAllowed] = useState("");
  const ruins = (found ?? []).flatMap(({ tone, text }) => (tone === "ruins" ? [text] : [])).join("\n");
  const faults: FaultsAllowed = {
    asked: couldBeLive && ruins !== "",
    allowed: allowedFaults === ruins,
    allow: (allowed) => setAllowed(allowed ? ruins : ""),
  };
  return { found, report, faults };
}
