import {
  ADDRESS_CHECKS_ABOUT,
  formatAddressChecks,
  formatAddressesLeft,
  formatCheckAddresses,
} from "../rows/messages";
import { Act } from "./list-header";
import type { AddressChecks as Checks } from "./list-view";

/** What the provider says of the addresses of the rows, and the button that asks it. */
export function AddressChecks({ checks }: { checks: Checks }) {
  const { valid, notFound, unchecked, left, checking } = checks;
  const asked = valid + notFound + unchecked;
  if (asked + left === 0) return null;
  return (
    <section aria-label="Addresses" className="border-line border-t pt-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 text-dim tabular-nums">
          {asked === 0 && !checking ? ADDRESS_CHECKS_ABOUT : formatAddressChecks(checks)}
          {checking ? ` ${formatAddressesLeft(left)}` : null}
        </p>
        {checking ? (
          <Act intent="stop_addresses">Stop checking</Act>
        ) : left > 0 ? (
          <Act intent="check_addresses">{formatCheckAddresses(left)}</Act>
        ) : null}
      </div>
      {checking ? (
        <progress
          aria-label="Addresses checked"
          value={asked}
          max={Math.max(1, asked + left)}
          className="mt-1 block h-2 w-full accent-accent"
        />
      ) : null}
    </section>
  );
}
