import { Form } from "@remix-run/react";
import { TextLink } from "~/ui/links";
import { May } from "~/ui/may";
import { Notice } from "~/ui/notice";

interface LowBalanceProps {
  account: { userId: string; displayName: string; isViewer: boolean; low: number };
  returnTo: string;
}

/** Notice on every page when a balance falls below 50 and below 10 credits, until a person closes it. */
export function LowBalance({ account, returnTo }: LowBalanceProps) {
  const { userId, displayName, isViewer, low } = account;
  const buy = `/users?${new URLSearchParams({ view: "purchase", user_id: userId })}`;
  return (
    <section aria-label="Low balance" className="border-line border-b px-4 py-2 max-sm:px-3">
      <Notice tone="warn">
        <Form
          method="post"
          action="/users/low-balance"
          preventScrollReset
          className="flex flex-wrap items-center gap-x-4 gap-y-1"
        >
          <span>{formatLowBalance(isViewer ? null : displayName, low)}</span>
          <TextLink to={buy}>Buy credits</TextLink>
          <input type="hidden" name="user_id" value={userId} />
          <input type="hidden" name="returnTo" value={returnTo} />
          <May scope="credits">
            <button type="submit" className="button button-quiet ml-auto max-sm:ml-0">
              Close
            </button>
          </May>
        </Form>
      </Notice>
    </section>
  );
}

/** @param name of the user; null for the viewer @param threshold credits that the balance fell below */
export function formatLowBalance(name: string | null, threshold: number): string {
  return `${name === null ? "Your" : `${name}'s`} balance fell below ${threshold} credits.`;
}
