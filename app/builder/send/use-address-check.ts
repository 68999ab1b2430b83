import { useEffect, useRef, useState } from "react";
import {
  ADDRESS_PARTS,
  type AddressCheck,
  addressFieldName,
  parseAddress,
  takeCorrections,
} from "../draft/address";
import type { DraftChange } from "../draft/builder-state";
import type { BaseUrlView, Draft } from "../draft/draft";
import type { AddressCheckView } from "../forms/form-context";
import { postToProxy } from "./answer";
import type { checkAddress } from "./check-address";

/** The last check of the draft's address. `initial` comes from a form that was posted without JavaScript. */
export function useAddressCheck(
  /** The check is loaded with the editor. */
  editor: { checkAddress: typeof checkAddress } | null,
  draft: Draft,
  from: { base: BaseUrlView; userId: string | null; presetKey: string; initial: AddressCheck | null },
  change: (change: DraftChange) => void,
): AddressCheckView {
  const { base, userId, presetKey, initial } = from;
  const [last, setLast] = useState({ presetKey, check: initial });
  const [checking, setChecking] = useState(false);
  const latest = useRef(0);
  useEffect(
    () => () => {
      latest.current++;
    },
    [],
  );
  const check = last.presetKey === presetKey ? last.check : null;

  const run = async () => {
    if (checking || editor === null) return;
    const current = ++latest.current;
    setChecking(true);
    const result = await editor.checkAddress(parseAddress(draft.values), { base, userId }, (request) =>
      postToProxy(request, "Network error: Mailroom did not answer. Try again in a moment."),
    );
    if (latest.current !== current) return;
    setChecking(false);
    setLast({ presetKey, check: result });
  };
  const take = () => {
    if (check === null) return;
    for (const part of ADDRESS_PARTS) {
      const value = check.corrections[part];
      if (value !== undefined) change({ type: "value", name: addressFieldName(part), value });
    }
    setLast({ presetKey, check: takeCorrections(check) });
  };
  return { check, checking, run: () => void run(), take };
}
