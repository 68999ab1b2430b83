import { useEffect, useRef, useState } from "react";
import type { ProxyRequest } from "~/sending/proxy-types";
import type { Draft } from "../draft";
import type { BaseUrlView } from "../request/base-url-view";
import { type Answer, parseAnswer } from "../response/answer";
import type { DraftChange } from "../use-draft";
import { ADDRESS_PARTS, addressFieldName, parseAddress } from "./address";
import { type AddressCheck, checkAddress, takeCorrections } from "./check-address";

export interface AddressCheckView {
  check: AddressCheck | null;
  checking: boolean;
  run: () => void;
  /** Fills the form as the provider writes the address. */
  take: () => void;
}

const UNREACHABLE = "Network error: the Mailroom server did not answer. Try again in a moment.";

/**
 * The last check of the draft's address, for the preset `opened`. `initial` is what a form posted without
 * JavaScript brought along.
 */
export function useAddressCheck(
  draft: Draft,
  from: { base: BaseUrlView; userId: string | null; opened: string; initial: AddressCheck | null },
  change: (change: DraftChange) => void,
): AddressCheckView {
  const { base, userId, opened, initial } = from;
  const [held, setHeld] = useState({ opened, check: initial });
  const [checking, setChecking] = useState(false);
  const latest = useRef(0);
  useEffect(
    () => () => {
      latest.current++;
    },
    [],
  );
  const check = held.opened === opened ? held.check : null;

  const run = async () => {
    if (checking) return;
    const mine = ++latest.current;
    setChecking(true);
    const found = await checkAddress(parseAddress(draft.values), { base, userId }, askProxy);
    if (latest.current !== mine) return;
    setChecking(false);
    setHeld({ opened, check: found });
  };
  const take = () => {
    if (check === null) return;
    for (const part of ADDRESS_PARTS) {
      const value = check.corrections[part];
      if (value !== undefined) change({ type: "value", name: addressFieldName(part), value });
    }
    setHeld({ opened, check: takeCorrections(check) });
  };
  return { check, checking, run: () => void run(), take };
}

async function askProxy(request: ProxyRequest): Promise<Answer> {
  try {
    const reply = await fetch("/api/stannp", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    return parseAnswer(reply.status, await reply.text());
  } catch {
    return { kind: "failed", message: UNREACHABLE, response: null, httpStatus: null };
  }
}
