import { Form } from "@remix-run/react";
import { formatCredits } from "~/credits/format-credits";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { TextField } from "~/ui/field";
import { useMay } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { Submit } from "~/ui/submit";
import type { Approval, ListView } from "./load-list-page.server";
import { AtProvider, Facts } from "./test-and-start";

/** Shows what approval was requested for, and takes the decision. */
export function ApprovalPanel({
  list,
  approval,
  typed,
}: {
  list: ListView;
  approval: Approval;
  /** The reason of a refusal that failed. */
  typed: string;
}) {
  const may = useMay()("send:live");
  const { askedBy, askedAt, rows, cost, available, mayDecide } = approval;
  return (
    <section
      aria-labelledby="approval"
      data-live={may && mayDecide ? "" : undefined}
      className="grid gap-3 border border-line bg-surface p-4"
    >
      <h2 id="approval">Approval</h2>
      <p>
        {askedBy} asks to start this list, <Moment at={askedAt} />. Nothing is reserved or sent yet.
      </p>
      <Facts
        rows={{
          Pieces: formatInteger(rows),
          Cost: formatCredits(cost),
          [`Available to ${list.payer}`]: formatCredits(available),
        }}
      />
      <AtProvider list={list} />
      {!may ? null : mayDecide ? (
        <Form method="post" preventScrollReset className="grid gap-3">
          <input type="hidden" name="quoted" value={rows} />
          <Submit
            intent="approve"
            working="Working..."
            className="button-live w-fit max-w-full whitespace-normal!"
          >{`Approve and start LIVE: ${formatCount(rows, list.mailType)}, reserves ${formatCredits(cost)}`}</Submit>
          <div className="flex max-w-xl flex-wrap items-end gap-2">
            <div className="min-w-0 flex-1 basis-64">
              <TextField
                id="refusal"
                label="Reason for refusing"
                name="reason"
                defaultValue={typed}
                maxLength={500}
                aria-describedby="refusal-about"
              />
            </div>
            <Submit intent="refuse">Refuse</Submit>
          </div>
          <p id="refusal-about" className="text-dim text-small">
            Shown on the list. Nothing is sent, and its rows can be changed again.
          </p>
        </Form>
      ) : (
        <Form method="post" preventScrollReset className="grid justify-items-start gap-2">
          <p className="text-dim">
            Someone other than the requester, the list's maker and those who changed its rows must approve it.
            Nothing can be changed until then.
          </p>
          <Submit intent="refuse">Withdraw the request</Submit>
        </Form>
      )}
    </section>
  );
}
