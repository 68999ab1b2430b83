import { Link, useLocation } from "@remix-run/react";
import { memo, useState } from "react";
import { formatInteger } from "~/platform/format-integer";
import { findMemberText } from "~/platform/json-text";
import { parseJson, parseRecord } from "~/platform/json-value";
import { Badge } from "~/ui/badge";
import { Moment } from "~/ui/moment";
import { ProblemNotice } from "~/ui/notice";
import { toBodies } from "../request-data";
import { ModeBadge, StatusCodeBadge } from "./badges";
import {
  CancelledNotice,
  CancelMail,
  ConfirmCancel,
  DeleteResponse,
  ResponseLinks,
  Tags,
} from "./item-parts";
import type { CancelQuestion, Column, ShownBodies } from "./stored-view";
import type { ResponseRow } from "./stored-view.server";
import { Value } from "./value";

/**
 * Shows one stored response of the list. Loads its bodies when they are opened. Memoised, so that a click that leaves the list
 * does not render it again.
 */
export const ResponseItem = memo(function ResponseItem({
  row,
  filterQuery,
  columns,
  chosen,
  opened,
  question,
  compareForm,
}: {
  row: ResponseRow;
  /** The parameters of the filter, for links that add to it. */
  filterQuery: string;
  columns: readonly Column[];
  /** True when it is chosen to be compared. */
  chosen: boolean;
  /** The bodies, if the address opens this row: null when they cannot be loaded; undefined when it is closed. */
  opened: ShownBodies | null | undefined;
  /** The question to confirm a cancel, if the address asks it. */
  question: CancelQuestion | null;
  compareForm: string;
}) {
  const { pathname, search } = useLocation();
  const [open, setOpen] = useState(opened !== undefined);
  const { shown, load } = useBodies(row.id, opened);
  const subject = `${row.method} ${row.path}`;
  const address = new URLSearchParams(search);
  if (open) address.delete("open");
  else address.set("open", row.id);
  return (
    <li id={`response-${row.id}`} data-row className="scroll-mt-4 border-line border-b py-2">
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 md:grid-cols-[auto_minmax(0,1fr)_7rem_minmax(0,10rem)_13rem]">
        <input
          type="checkbox"
          name="id"
          value={row.id}
          form={compareForm}
          defaultChecked={chosen}
          disabled={chosen}
          aria-label={`Compare ${subject}`}
          className="mt-0.5 size-4"
        />
        <Call row={row} filterQuery={filterQuery} columns={columns} />
        <div className="max-md:col-start-2 max-md:flex max-md:items-center max-md:gap-2">
          {columns.includes("status") ? (
            <>
              <StatusCodeBadge status={row.status} refused={row.isRefused} />
              {row.durationMs === null ? null : (
                <span className="block text-dim tabular-nums">{formatInteger(row.durationMs)} ms</span>
              )}
            </>
          ) : null}
        </div>
        <p className="min-w-0 max-md:col-start-2 max-md:flex max-md:flex-wrap max-md:gap-x-2">
          {columns.includes("user") ? (
            <>
              <bdi className="block [overflow-wrap:anywhere]">{row.user}</bdi>
              <span className="block text-dim">
                <Moment at={row.at} />
              </span>
            </>
          ) : null}
        </p>
        <div className="relative flex flex-wrap items-start self-start gap-x-3 gap-y-1 max-md:col-start-2 md:justify-end">
          <a
            href={`${pathname}?${address}#response-${row.id}`}
            className="link"
            aria-expanded={open}
            onClick={(event) => {
              event.preventDefault();
              setOpen(!open);
              if (!open) load();
            }}
          >
            {open ? "Hide" : "View"}
            <span className="sr-only"> request and response of {subject}</span>
          </a>
          {row.canCancel ? <CancelMail id={row.id} subject={subject} isOpen={question !== null} /> : null}
          <DeleteResponse id={row.id} subject={subject} hasSend={row.sendId !== null} inList />
        </div>
      </div>
      {question && row.canCancel ? <ConfirmCancel question={question} /> : null}
      {row.cancelled ? <CancelledNotice cancelled={row.cancelled} /> : null}
      {open ? (
        <div className="mt-2">
          <p className="flex flex-wrap gap-x-4 gap-y-1 pb-2">
            <ResponseLinks id={row.id} sendId={row.sendId} />
          </p>
          <Bodies shown={shown} subject={subject} />
        </div>
      ) : null}
    </li>
  );
});

function Call({
  row,
  filterQuery,
  columns,
}: {
  row: ResponseRow;
  filterQuery: string;
  columns: readonly Column[];
}) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="wire font-semibold">{row.method}</span>
        <Link to={`/stored/${row.id}`} className="wire link line-clamp-3 min-w-0 [overflow-wrap:anywhere]">
          {row.path}
        </Link>
        <ModeBadge mode={row.mode} />
        {row.cancelled ? <Badge tone="bad">Cancelled</Badge> : null}
      </p>
      <p className="flex flex-wrap items-baseline gap-x-3 text-dim [overflow-wrap:anywhere]">
        {row.addressee !== null && columns.includes("to") ? (
          <span>
            To <bdi className="text-ink">{row.addressee}</bdi>
          </span>
        ) : null}
        <span className="min-w-0">
          {row.category}
          {row.preset === "" ? "" : ` · ${row.preset}`}
        </span>
        {columns.includes("tags") ? <Tags tags={row.tags} query={filterQuery} /> : null}
      </p>
    </div>
  );
}

/** Shows request and response, side by side on wide screens. */
function Bodies({ shown, subject }: { shown: BodiesState; subject: string }) {
  if (shown.state === "waiting") {
    return (
      <p role="status" className="py-2 text-dim">
        Loading request and response...
      </p>
    );
  }
  if (shown.state === "failed") {
    return <ProblemNotice>{shown.message}</ProblemNotice>;
  }
  return (
    <div className="appears grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
      <Body title="Request" subject={subject} text={shown.bodies.request} />
      <Body title="Response" subject={subject} text={shown.bodies.response} />
    </div>
  );
}

function Body({ title, subject, text }: { title: string; subject: string; text: string | null }) {
  return (
    <section aria-label={`${title} of ${subject}`} className="min-w-0">
      <h3 className="pb-1 text-dim">{title}</h3>
      <div className="overflow-x-clip bg-sunken">
        <Value label={title} text={text} />
      </div>
    </section>
  );
}

/** The bodies of a stored response, or the reason why they cannot be shown. */
type BodiesState =
  | { state: "waiting" }
  | { state: "loaded"; bodies: ShownBodies }
  | { state: "failed"; message: string };

/**
 * Fetches the bodies of one stored response from `GET /api/responses/:id` when `load` is called.
 * @param initial the bodies that came with the page: null when they could not be loaded, undefined when not requested
 */
function useBodies(
  id: string,
  initial: ShownBodies | null | undefined,
): { shown: BodiesState; load: () => Promise<void> } {
  const [shown, setShown] = useState<BodiesState>(() => {
    if (initial) return { state: "loaded", bodies: initial };
    return initial === null
      ? { state: "failed", message: "This response cannot be shown. It may have been deleted." }
      : { state: "waiting" };
  });
  const load = async () => {
    if (shown.state === "loaded") return;
    setShown({ state: "waiting" });
    setShown(await fetchBodies(id));
  };
  return { shown, load };
}

async function fetchBodies(id: string): Promise<BodiesState> {
  try {
    const reply = await fetch(`/api/responses/${encodeURIComponent(id)}`);
    const text = await reply.text();
    const { data, error } = parseRecord(parseJson(text));
    if (!reply.ok || !data) {
      return { state: "failed", message: String(error ?? `Request failed with status ${reply.status}`) };
    }
    // Read from the text: a parse would change numbers and names.
    const [request, response] = ["request_data", "response_data"].map((name) =>
      findMemberText(findMemberText(text, "data") ?? "", name),
    );
    return {
      state: "loaded",
      bodies: toBodies(request ?? null, response === "null" ? null : (response ?? null)),
    };
  } catch {
    return { state: "failed", message: "Network error: the Mailroom server did not answer." };
  }
}
