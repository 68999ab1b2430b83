import { Form } from "@remix-run/react";
import { CREDIT_PACKAGE, MAIL_PRICES, PACKAGE_PRICE } from "~/catalogue/prices";
import { Field } from "~/ui/field";
import { TextLink } from "~/ui/links";
import { MissingScope, useMay } from "~/ui/may";
import { useUnanswered } from "~/ui/network-notice";
import { Notice, ProblemNotice } from "~/ui/notice";
import { Submit } from "~/ui/submit";
import { type PostedForm, UserSelect } from "../credit-forms";
import type { PurchaseView } from "../credits-view.server";
import { formatCredits } from "../format-credits";
import { formatCheckoutFailed } from "../messages";

const { credits } = CREDIT_PACKAGE;

/** The Purchase Credits view; the payment itself is on Stripe's page. */
export function BuyForm({ view, posted }: { view: PurchaseView; posted: PostedForm | null }) {
  const problem =
    useUnanswered()?.intent === "purchase"
      ? formatCheckoutFailed("Failed to create checkout session")
      : posted?.problem;
  const userId = posted?.values.user_id ?? view.userId;
  const draft = posted?.values.draft ?? view.draft;
  const { list } = view;
  const may = useMay()("credits");
  return (
    <Form
      method="post"
      action={`/users?view=purchase${list ? `&list=${list.id}` : ""}`}
      className="grid max-w-[420px] gap-4"
    >
      <h2>Buy credits by card</h2>
      {view.configured ? null : (
        <Notice tone="warn" title="Purchase is not configured.">
          Set STRIPE_SECRET_KEY and restart the console. Until then, add credits under Manage Credits.
        </Notice>
      )}
      <ProblemNotice>{problem}</ProblemNotice>
      {draft ? <p className="text-dim">You will return to your draft after the payment.</p> : null}
      {list ? (
        <p>
          {list.missing === 0
            ? `There are enough credits for the list ${list.name}.`
            : `The list ${list.name} needs ${formatCredits(list.missing)} more. One purchase adds ${CREDIT_PACKAGE.credits}.`}{" "}
          <TextLink to={`/bulk/${list.id}`}>Back to the list</TextLink>
        </p>
      ) : null}
      <Field id="purchase-user" label="Buy for">
        <UserSelect id="purchase-user" users={view.users} chosen={userId} />
      </Field>
      <p className="flex items-baseline justify-between gap-4 border-line border-y py-3">
        <span>
          <span className="block font-semibold">{credits} credits</span>
          <span className="text-dim">{formatReach(credits, MAIL_PRICES)}</span>
        </span>
        <span className="font-semibold text-title tabular-nums">{PACKAGE_PRICE}</span>
      </p>
      <input type="hidden" name="draft" value={draft} />
      {list ? <input type="hidden" name="list" value={list.id} /> : null}
      <div>
        {may ? (
          <Submit
            intent="purchase"
            working="Processing: opening Stripe’s page…"
            className="button-primary"
            disabled={!view.configured}
          >{`Buy ${credits} credits for ${PACKAGE_PRICE}`}</Submit>
        ) : (
          <MissingScope scope="credits" />
        )}
        <p className="mt-2 text-small text-dim">
          You pay on Stripe’s page, so your card number never reaches this console. The credits are added when
          Stripe confirms the payment. <TextLink to="/purchases">All purchases and receipts</TextLink>
        </p>
      </div>
    </Form>
  );
}

/** Formats how many pieces of one kind these credits pay for: "about 50 letters or 100 postcards". */
export function formatReach(credits: number, prices: { letter: number; postcard: number }): string {
  const [letters, postcards] = [prices.letter, prices.postcard].map((price) => Math.floor(credits / price));
  return `about ${letters} letters or ${postcards} postcards`;
}
