import { Form } from "@remix-run/react";
import { formatInteger } from "~/platform/format-integer";
import type { Flash } from "~/platform/http/flash.server";
import type { Failure } from "~/platform/outcome";
import { Preview } from "~/print/preview/preview";
import { May, useMay } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { Notice } from "~/ui/notice";
import { PollUntilDone } from "~/ui/reload";
import { Act } from "~/ui/submit";
import { CANCELLING_ALL, ERASED, formatMinutes } from "../messages";
import { ColumnsForm } from "./columns-form";
import { type Groups, ImportForm, ImportProgress } from "./import-form";
import { ListHeader, ProgressPanel } from "./list-header";
import { rowsAddress } from "./list-view";
import type { AddressChecksView, ListView } from "./load-list-page.server";
import { RowForm, RowsTable } from "./rows-table";
import { ApprovalPanel, StartForm, StartingPanel, TestForm } from "./test-and-start";

const STEPS = ["Import", "Check", "Test", "Start"] as const;

const PREVIEW_FORM = "bulk-preview";

interface Refused {
  failure: Failure;
  pasted: string;
  /** The reason of a refused approval. */
  reason: string;
  cells: Record<string, string>;
}

interface ListPageProps {
  list: ListView;
  flash: Flash | null;
  refused: Refused | null;
  asking: string | null;
  /** Groups of the provider's account, when they were requested. */
  groups: Groups | null;
}

export function ListPage({ list, flash, refused, asking, groups }: ListPageProps) {
  const failure = refused?.failure;
  const message = failure ? [failure.message, failure.details].filter(Boolean).join(" ") : flash?.message;
  return (
    <div className="page max-w-[1320px] py-6">
      {
        // Another message starts the wait again, so that the next reload does not remove it at once.
        isBusy(list) ? <PollUntilDone key={flash?.message} /> : null
      }
      <ListHeader list={list} asking={asking} />
      {list.state === "draft" ? <Steps list={list} /> : null}
      {message ? (
        <Notice tone={failure ? "bad" : (flash?.tone ?? "ok")} urgent>
          {message}
        </Notice>
      ) : null}
      {list.cancelling && !flash ? <Notice tone="info">{CANCELLING_ALL}</Notice> : null}
      {list.importLost && !failure ? (
        <Notice tone="warn">The last import did not end. Import the file again.</Notice>
      ) : null}
      {list.note && list.note !== message ? <Notice tone="warn">{list.note}</Notice> : null}
      {list.erased ? (
        <Notice tone="info">
          {ERASED} <Moment at={list.erased} absolute />
        </Notice>
      ) : null}
      {list.approval ? (
        <ApprovalPanel list={list} approval={list.approval} typed={refused?.reason ?? ""} />
      ) : null}
      {list.starting ? <StartingPanel list={list} starting={list.starting} /> : null}
      {list.startedAt ? <ProgressPanel list={list} /> : null}
      <ListContent list={list} refused={refused} groups={groups} />
    </div>
  );
}

/** True while the server changes the list in the background. */
function isBusy(list: ListView): boolean {
  const { checking, sending } = list.counts;
  return (
    (list.state === "running" && list.starting?.isSoon !== false) ||
    checking > 0 ||
    sending > 0 ||
    list.cancelling ||
    list.addressChecks?.isRunning === true ||
    list.importPercent !== null
  );
}

/** Shows the import form until a file is imported, then the rows and the panels beside them. */
function ListContent({ list, refused, groups }: Pick<ListPageProps, "list" | "refused" | "groups">) {
  const isEditable = useMay()("send:test") && list.state === "draft";
  const importForm = isEditable ? (
    <ImportForm list={list} typed={refused?.pasted ?? ""} groups={groups} />
  ) : null;
  if (list.columns.length === 0) {
    return list.importPercent === null ? importForm : <ImportProgress percent={list.importPercent} />;
  }
  const hasSide = Boolean(list.preview || list.form || list.quote);
  return (
    <div
      className={`grid grid-cols-[minmax(0,1fr)] gap-6 ${hasSide ? "lg:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr]" : ""}`}
    >
      {list.quote ? (
        <div className={PANEL}>
          <May scope="send:test">
            <TestForm list={list} />
          </May>
          <StartForm list={list} quote={list.quote} />
        </div>
      ) : null}
      <div className="grid min-w-0 content-start gap-3 lg:col-start-1 lg:row-span-2 lg:row-start-1">
        {isEditable ? <ColumnsForm list={list} /> : null}
        {list.addressChecks && list.background ? (
          <AddressChecks list={list} checks={list.addressChecks} />
        ) : null}
        <RowsTable list={list} />
        {importForm}
      </div>
      <ChosenRow list={list} typed={refused?.cells} />
    </div>
  );
}

/** Beside the rows; on small screens above them, or below. */
const PANEL =
  "grid min-w-0 content-start self-start rounded-[6px] border border-line bg-surface lg:col-start-2";

function ChosenRow({ list, typed }: { list: ListView; typed: Record<string, string> | undefined }) {
  const { preview, form } = list;
  if (!preview && !form) return null;
  return (
    <div id="row" className={`${PANEL} scroll-mt-4 pb-3`}>
      <h2 className="px-4 pt-3">Row {formatInteger(preview?.number ?? form?.number ?? 0)}</h2>
      {form ? (
        <May scope={list.state === "running" || list.state === "paused" ? "send:live" : "send:test"}>
          <RowForm key={form.number} form={form} typed={typed} closeTo={rowsAddress(list)} />
        </May>
      ) : null}
      {preview ? (
        <>
          <Form
            id={PREVIEW_FORM}
            method="get"
            action={`/bulk/${list.id}`}
            preventScrollReset
            className="hidden"
          >
            <input type="hidden" name="row" value={preview.number} />
          </Form>
          <Preview
            key={preview.number}
            state={preview.state}
            view={preview.view}
            letter={preview.letter}
            formId={PREVIEW_FORM}
            updateAction={`/bulk/${list.id}`}
          />
        </>
      ) : null}
    </div>
  );
}

/** Results of the provider's address checks, and the button that starts them. */
function AddressChecks({ list, checks }: { list: ListView; checks: AddressChecksView }) {
  const { valid, notFound, unchecked, notChecked: left } = list.counts;
  const { isRunning: checking, minutes } = checks;
  const mayPrepare = useMay()("send:test");
  const checked = valid + notFound + unchecked;
  if (checked + left === 0) return null;
  const others = unchecked === 0 ? "" : `, ${formatInteger(unchecked)} could not be checked`;
  return (
    <section aria-label="Addresses" className="border-line border-t pt-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 text-dim tabular-nums">
          {checked === 0 && !checking
            ? `US and UK addresses can be checked first (${formatInteger(left)}: ${formatMinutes(minutes)}).`
            : `Addresses: ${formatInteger(valid)} found, ${formatInteger(notFound)} not found${others}.`}
          {checking ? ` ${formatInteger(left)} left.` : null}
        </p>
        {!mayPrepare ? null : checking ? (
          <Act intent="stop_addresses">Stop checking</Act>
        ) : left > 0 ? (
          <Act intent="check_addresses">{`Check ${formatInteger(left)} ${left === 1 ? "address" : "addresses"}`}</Act>
        ) : null}
      </div>
      {checking ? (
        <progress
          aria-label="Addresses checked"
          value={checked}
          max={Math.max(1, checked + left)}
          className="mt-1 block h-2 w-full accent-accent"
        />
      ) : null}
    </section>
  );
}

function Steps({ list }: { list: ListView }) {
  const at = STEPS.indexOf(findStep(list));
  // Until the columns are chosen, every row has the same problem.
  const wrong = list.unmapped.length > 0 ? 0 : list.counts.problem;
  return (
    <ol aria-label="Steps" className="flex flex-wrap items-center gap-x-5 gap-y-1 border-line border-y py-2">
      {STEPS.map((name, index) => (
        <li
          key={name}
          aria-current={index === at ? "step" : undefined}
          className={`flex items-center gap-2 ${index === at ? "font-semibold" : "text-dim"}`}
        >
          <span
            className={`flex size-5 items-center justify-center rounded-full border text-small tabular-nums ${
              index === at ? "border-ink bg-ink text-paper" : index < at ? "border-ok text-ok" : "border-edge"
            }`}
          >
            {index < at ? (
              <>
                <span aria-hidden>✓</span>
                <span className="sr-only">Done:</span>
              </>
            ) : (
              index + 1
            )}
          </span>
          {name}
          {name === "Check" && wrong > 0 && index <= at ? (
            <span className="font-normal text-warn tabular-nums">{`${formatInteger(wrong)} to correct`}</span>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

/** Rows with problems are not sent, so they do not block the next step when others are ready. */
function findStep({ columns, unmapped, counts, quote }: ListView): (typeof STEPS)[number] {
  if (columns.length === 0) return "Import";
  if (unmapped.length > 0 || counts.ready === 0) return "Check";
  return quote?.tested ? "Start" : "Test";
}
