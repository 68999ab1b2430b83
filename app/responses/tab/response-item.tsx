import { Link, useLocation } from "@remix-run/react";
import { memo, useState } from "react";
import { formatInteger } from "~/platform/format-integer";
import { findMemberText } from "~/platform/json-text";
import { parseJson, parseRecord } from "~/platform/json-value";
import { Badge } from "~/ui/badge";
import { TextLink } from "~/ui/links";
import { Moment } from "~/ui/moment";
import { ProblemNotice } from "~/ui/notice";
import { useOpen } from "~/ui/use-open";
import { type Column, type ShownBodies, toBodies } from "../stored-response";
import { ModeBadge, StatusCodeBadge } from "./badges";
import {
  CancelledNotice,
  CancelMail,
  ConfirmCancel,
  DeleteResponse,
  DownloadAnswer,
  Tags,
  Value,
} from "./response-parts";
import type { CancelQuestion, ResponseView } from "./stored-view.server";

/** The bodies of a stored response, or the reason why they cannot be shown. */
type Shown = ShownBodies | { problem: string };
const GONE = "This response cannot be shown. It may have been deleted.";

interface ResponseItemProps {
  row: ResponseView;
  columns: readonly Column[];
  chosen: boolean;
  /** The bodies, if the address opens this row: null when they cannot be loaded; undefined when it is closed. */
  opened: ShownBodies | null | undefined;
  question: CancelQuestion | null;
  compareForm: string;
}

/**
 * Shows one stored response of the list. Loads its bodies when they are opened. Memoised, so that a click that leaves the list
 * does not render it again.
 */
export const ResponseItem = memo(function ResponseItem(props: ResponseItemProps) {
  const { row, columns, chosen, opened, question, compareForm } = props;
  const { open, href, onClick } = useOpen("open", row.id, `response-${row.id}`);
  const [shown, setShown] = useState<Shown | undefined>(opened === null ? { problem: GONE } : opened);
  const load = async () => {
    if (shown && !("problem" in shown)) return;
    setShown(undefined);
    setShown(await fetchBodies(row.id));
  };
  const subject = `${row.method} ${row.path}`;
  return (
    <li
      id={`response-${row.id}`}
      data-row
      className="grid scroll-mt-4 grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 border-line border-b py-2 md:grid-cols-[auto_minmax(0,1fr)_7rem_minmax(0,10rem)_13rem]"
    >
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
      <Call {...props} />
      <div className="max-md:col-start-2 max-md:flex max-md:items-center max-md:gap-2">
        {columns.includes("status") ? (
          <>
            <StatusCodeBadge status={row.status} refused={row.isRefused} />
            {row.durationMs === null ? null : (
              <span className="block text-dim tabular-nums">{`${formatInteger(row.durationMs)} ms`}</span>
            )}
          </>
        ) : null}
      </div>
      <p className="min-w-0 max-md:col-start-2 max-md:flex max-md:flex-wrap max-md:gap-x-2">
        {columns.includes("user") ? (
          <>
            <bdi className="block [overflow-wrap:anywhere]">{row.user}</bdi>
            <Moment at={row.at} className="block text-dim" />
          </>
        ) : null}
      </p>
      <div className="relative flex flex-wrap items-start self-start gap-x-3 gap-y-1 max-md:col-start-2 md:justify-end">
        <a
          href={href}
          className="link"
          aria-expanded={open}
          aria-label={`${open ? "Hide" : "View"} request and response of ${subject}`}
          onClick={(event) => {
            onClick(event);
            if (!open) void load();
          }}
        >
          {open ? "Hide" : "View"}
        </a>
        {row.canCancel ? <CancelMail id={row.id} subject={subject} isOpen={question !== null} /> : null}
        <DeleteResponse id={row.id} subject={subject} hasSend={row.sendId !== null} inList />
      </div>
      {question && row.canCancel ? <ConfirmCancel question={question} /> : null}
      {row.cancelled ? <CancelledNotice cancelled={row.cancelled} /> : null}
      {open ? (
        <div className="col-span-full mt-1">
          <p className="flex flex-wrap gap-x-4 gap-y-1 pb-2">
            <TextLink to={`/?response=${row.id}`}>Open in Builder</TextLink>
            <TextLink to={`/?response=${row.id}&again=1`}>Run again</TextLink>
            <DownloadAnswer id={row.id} />
            {row.sendId === null ? null : <TextLink to={`/sends/${row.sendId}`}>View piece</TextLink>}
          </p>
          <Bodies shown={shown} subject={subject} />
        </div>
      ) : null}
    </li>
  );
});

function Call({ row, columns }: Pick<ResponseItemProps, "row" | "columns">) {
  const { search } = useLocation();
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
          {row.preset === "" ? row.category : `${row.category} · ${row.preset}`}
        </span>
        {columns.includes("tags") ? <Tags tags={row.tags} query={search} /> : null}
      </p>
    </div>
  );
}

function Bodies({ shown, subject }: { shown: Shown | undefined; subject: string }) {
  if (shown === undefined) {
    return (
      <p role="status" className="py-2 text-dim">
        Loading request and response...
      </p>
    );
  }
  if ("problem" in shown) return <ProblemNotice>{shown.problem}</ProblemNotice>;
  return (
    <div className="appears grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
      <Body title="Request" subject={subject} text={shown.request} />
      <Body title="Response" subject={subject} text={shown.response} />
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

async function fetchBodies(id: string): Promise<Shown> {
  try {
    const reply = await fetch(`/api/responses/${encodeURIComponent(id)}`);
    const text = await reply.text();
    const { data, error } = parseRecord(parseJson(text));
    if (!reply.ok || !data) return { problem: String(error ?? `Request failed with status ${reply.status}`) };
    // Read from the text: a parse would change numbers and names.
    const stored = findMemberText(text, "data") ?? "";
    const response = findMemberText(stored, "response_data");
    return toBodies(findMemberText(stored, "request_data"), response === "null" ? null : response);
  } catch {
    return { problem: "Network error: the Mailroom server did not answer." };
  }
}
