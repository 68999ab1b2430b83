import { Form } from "@remix-run/react";
import { Fragment } from "react";
import { formatCredits } from "~/credits/format-credits";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { FilterInput, TextField } from "~/ui/field";
import { TextLink } from "~/ui/links";
import { useMay } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { Notice } from "~/ui/notice";
import { Act, Submit } from "~/ui/submit";
import { MOST_WITHOUT_UNDO, TEST_DAYS } from "../bulk-list";
import { BACKGROUND_OFF, formatMinutes } from "../messages";
import { rowsAddress } from "./list-view";
import type { Approval, ListView, Quote } from "./load-list-page.server";

export function TestForm({ list }: { list: ListView }) {
  const { preview, form, counts } = list;
  const tested = list.quote?.tested === true;
  const suggested = String((form?.problem ? null : preview?.number) ?? counts.firstReady ?? "");
  return (
    <section key={suggested} aria-labelledby="bulk-test" className="border-line border-b px-4 py-3">
      <h2 id="bulk-test">Test</h2>
      <p className="mt-1 text-dim">
        {tested
          ? `This template is tested; a test counts for ${TEST_DAYS} days. The provider's PDFs are beside the rows.`
          : `Get a free test of rows of your choice. You can start within ${TEST_DAYS} days after one.`}
      </p>
      <Warnings list={list} />
      <Form method="post" preventScrollReset className="mt-2 flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1">
          <TextField
            id="bulk-test-rows"
            label="Rows to test"
            description="Row numbers, 1 to 5 of them, with commas between."
            name="rows"
            defaultValue={suggested}
            inputMode="numeric"
          />
        </div>
        <Submit intent="test" working="Sending tests..." className={tested ? "" : "button-primary"}>
          Send tests
        </Submit>
      </Form>
    </section>
  );
}

/** Warnings about every row. */
function Warnings({ list }: { list: ListView }) {
  return list.warnings.map((sentence) => (
    <p key={sentence} className="mt-1 text-warn">
      {sentence}
    </p>
  ));
}

export function StartForm({ list, quote }: { list: ListView; quote: Quote }) {
  const { rows, cost, available, missing, providerCost, minutes, tested, buyUrl, needsApproval } = quote;
  const may = useMay()("send:live");
  const left = list.counts.problem;
  const block = !list.background ? BACKGROUND_OFF : !tested ? "Send a test first." : null;
  return (
    <section aria-labelledby="bulk-quote" className="px-4 py-3" data-live={tested ? "" : undefined}>
      <h2 id="bulk-quote">Quote</h2>
      <Facts
        rows={{
          Pieces: formatInteger(rows),
          Cost: formatCredits(cost),
          [`Available to ${list.payer}`]: formatCredits(available),
          "Available after": missing === 0 ? formatCredits(available - cost) : null,
          "Provider's price, estimated": providerCost,
          Takes: formatMinutes(minutes),
        }}
      />
      {left > 0 ? (
        <p className="mb-2 text-warn">
          {formatCount(left, "row")} {left === 1 ? "is" : "are"} left out.{" "}
          <TextLink to={rowsAddress(list, { filter: "problem" })}>Show them</TextLink>
        </p>
      ) : null}
      {missing > 0 ? (
        <Notice tone="warn">
          {formatCredits(missing)} missing. <TextLink to={buyUrl}>Buy credits</TextLink>
        </Notice>
      ) : !may ? null : (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="quoted" value={rows} />
          {rows > MOST_WITHOUT_UNDO ? (
            <div className="mb-2">
              <TextField
                id="bulk-typed"
                label={`Type ${formatInteger(rows)} to confirm`}
                name="typed"
                inputMode="numeric"
              />
            </div>
          ) : null}
          <Submit
            intent="start"
            working="Starting..."
            className={`w-full whitespace-normal! ${block !== null ? "" : needsApproval ? "button-primary" : "button-live"}`}
            disabled={block !== null}
          >
            {needsApproval
              ? `Ask for approval of ${formatCount(rows, "row")}`
              : `Start LIVE: ${formatCount(rows, list.mailType)}, reserves ${formatCredits(cost)}`}
          </Submit>
          <details className="mt-2">
            <summary className="text-dim">Start later</summary>
            <div className="mt-1 flex flex-wrap items-end gap-3">
              <StartTime />
              <Submit intent="schedule" disabled={block !== null}>
                Set the start
              </Submit>
            </div>
          </details>
          {block || needsApproval ? (
            <p className="mt-1 text-small text-dim">
              {block ?? "Another person has to approve this list. Nothing is sent before."}
            </p>
          ) : null}
        </Form>
      )}
    </section>
  );
}

/** Names with their values; one without a value is left out. */
function Facts({ rows }: { rows: Record<string, string | null> }) {
  return (
    <dl className="my-2 grid max-w-md grid-cols-[1fr_auto] gap-x-6 gap-y-1 tabular-nums">
      {Object.entries(rows).map(([name, value]) =>
        value === null ? null : (
          <Fragment key={name}>
            <dt className="text-dim">{name}</dt>
            <dd className="text-right">{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}

function StartTime({ value }: { value?: string }) {
  return <FilterInput label="Date and time (UTC)" type="datetime-local" name="starts_at" value={value} />;
}

type StartingPanelProps = { list: ListView; starting: NonNullable<ListView["starting"]> };

/** A start that can still be undone or moved. */
export function StartingPanel({ list, starting: { text, isSoon, value } }: StartingPanelProps) {
  const canChange = useMay()("send:live") && list.state === "running";
  return (
    <section aria-label="Start" className="grid gap-3 border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="text-lead tabular-nums">
          <strong>{text}</strong>
          {canChange ? ` ${formatCredits(list.money.reserved)} reserved.` : null}
        </p>
        {canChange ? <Act intent="undo_start">Undo</Act> : null}
      </div>
      {canChange && !isSoon ? (
        <Form method="post" preventScrollReset className="flex flex-wrap items-end gap-3">
          <StartTime value={value} />
          <Submit intent="move_start">Move the start</Submit>
        </Form>
      ) : null}
    </section>
  );
}

interface ApprovalProps {
  list: ListView;
  approval: Approval;
  /** The reason of a refusal that failed. */
  typed: string;
}

/** Shows what approval was requested for, and takes the decision. */
export function ApprovalPanel({ list, approval, typed }: ApprovalProps) {
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
      <Warnings list={list} />
      {!may ? null : mayDecide ? (
        <>
          <Form method="post" preventScrollReset>
            <input type="hidden" name="quoted" value={rows} />
            <Submit
              intent="approve"
              working="Working..."
              className="button-live w-fit max-w-full whitespace-normal!"
            >{`Approve and start LIVE: ${formatCount(rows, list.mailType)}, reserves ${formatCredits(cost)}`}</Submit>
          </Form>
          {/* A form of its own, so that Enter in the reason does not approve. */}
          <Form method="post" preventScrollReset className="grid gap-3">
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
        </>
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
