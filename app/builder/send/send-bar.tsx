import { type ReactNode, useMemo } from "react";
import { MAIL_PRICES } from "~/catalogue/prices";
import type { MailType } from "~/pieces/mail-type";
import type { Finding } from "~/print/layout/finding";
import { listFindings } from "~/print/layout/findings";
import { isTypedByHand } from "../draft/draft";
import { Checklist } from "../forms/checklist";
import { FORM_ID, useForm } from "../forms/form-context";
import { buildState } from "../forms/mail-preview";
import { formatPrice } from "./send-button";
import type { FaultsAllowed } from "./use-faults";

/** Beside the button that sends live mail with a fault that ruins it. */
export const SEND_WITH_FAULT = "Send with this fault?";

interface SendBarProps {
  kind: MailType;
  /** True while the tested piece is sent live, from the form of its test. */
  sendingLive: boolean;
  obstacles: ReactNode;
  /** Findings of the preview; null before it has any, and without JavaScript. */
  found: readonly Finding[] | null;
  faults: FaultsAllowed;
  /** The provider's price as it writes it; undefined before a test. */
  cost: string | null | undefined;
  /** Credits that can be spent; null where they are not known. */
  available: number | null;
  children: ReactNode;
}

/**
 * The bar that stays below an editor: what is missing, what it costs, and the buttons that send. On a phone the two
 * buttons that are always there keep their place in the last row, so that a second tap on "Send test" never meets the
 * button that sends live.
 */
export function SendBar(props: SendBarProps) {
  const { kind, sendingLive, obstacles, found, faults, cost, available, children } = props;
  const { draft, listed, home, currency } = useForm();
  const price = MAIL_PRICES[kind];
  const findings = useMemo(
    () => found ?? listFindings(buildState(kind, draft, listed, home), null),
    [found, kind, draft, listed, home],
  );
  return (
    <section
      aria-label="Send"
      className="send-bar z-20 [@media(min-height:30rem)]:sticky [@media(min-height:30rem)]:bottom-0 flex flex-wrap items-end gap-x-6 gap-y-2 border-line border-t bg-surface px-4 py-2.5 max-sm:items-center max-sm:gap-x-2 max-sm:gap-y-1 max-sm:py-2"
    >
      {obstacles}
      <Checklist
        kind={kind}
        values={sendingLive ? { ...draft.values, test: "" } : draft.values}
        listed={listed}
        findings={findings}
        used={!isTypedByHand(draft)}
      />
      <p className="ml-auto text-right text-[12px] text-dim tabular-nums max-sm:in-[.send-bar:has(.button-live)]:hidden">
        {cost === undefined ? null : (
          <span className="block max-sm:hidden">
            {cost === null ? "The provider named no price" : formatProviderPrice(cost, currency)}
          </span>
        )}
        {/* The button that sends live says it itself. */}
        <span className="text-ink in-[.send-bar:has(.button-live)]:hidden">
          {`Live: ${formatPrice(price, available)}`}
        </span>
      </p>
      {faults.needed ? (
        <label className="flex items-center gap-2 font-semibold text-live max-sm:order-3 max-sm:basis-full">
          <input
            type="checkbox"
            form={FORM_ID}
            name="allowed_faults"
            value={faults.ruins}
            className="size-4 accent-live"
            checked={faults.allowed}
            onChange={(event) => faults.allow(event.target.checked)}
          />
          {SEND_WITH_FAULT}
        </label>
      ) : null}
      <div className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-2 max-sm:contents">
        {children}
      </div>
    </section>
  );
}

/** @param cost as the provider writes it */
export function formatProviderPrice(cost: string, currency: string | null): string {
  return `Provider's price: ${cost} ${currency === null ? "(account currency)" : currency.toUpperCase()}`;
}
