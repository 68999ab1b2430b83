import { formatBuyCredits, formatBuyFor } from "../messages";

/** Starts the card payment. The form is parked on the server and comes back afterwards. */
export function BuyCredits({
  formId,
  payer,
  why,
}: {
  formId: string;
  payer: string;
  /** In the bar below an editor, instead of for whom. */
  why?: string;
}) {
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 max-sm:order-2">
      {why ? <span className="text-warn">{why}</span> : null}
      <button type="submit" form={formId} name="intent" value="buy" className="button button-primary">
        {formatBuyCredits()}
      </button>
      {why ? null : <span className="text-dim">{formatBuyFor(payer)}</span>}
    </p>
  );
}
