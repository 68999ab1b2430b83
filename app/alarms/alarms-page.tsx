import { Form, Link, useNavigation } from "@remix-run/react";
import { formatInteger } from "~/platform/format-integer";
import type { Flash } from "~/platform/http/flash.server";
import { EmptyState } from "~/ui/empty/empty-state";
import { TextField } from "~/ui/field";
import { Pages, TextLink } from "~/ui/links";
import { May } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { FlashNotice } from "~/ui/notice";
import type { AlarmRow, AlarmsView } from "./alarms-view.server";

export function AlarmsPage({ view, flash }: { view: AlarmsView; flash: Flash | null }) {
  const { alarms, closed, open } = view;
  return (
    <div className="page">
      <header className="flex flex-wrap items-end gap-x-5 gap-y-2 border-line border-b">
        <h1 className="self-center text-title">Alarms</h1>
        <nav aria-label="Which alarms" className="flex flex-wrap gap-x-4">
          {[false, true].map((isClosed) => (
            <Link
              key={String(isClosed)}
              to={isClosed ? "/alarms?show=closed" : "/alarms"}
              className="tab -mb-px"
              aria-current={isClosed === closed ? "page" : undefined}
            >
              {isClosed ? "Closed" : `Open ${formatInteger(open)}`}
            </Link>
          ))}
        </nav>
      </header>
      <FlashNotice flash={flash} />
      {alarms.length === 0 ? (
        <EmptyState drawing="cards">
          {view.newest
            ? "There are no older alarms."
            : closed
              ? "No alarm was closed yet."
              : "Nothing needs a decision right now."}
        </EmptyState>
      ) : (
        <ul className="grid gap-4">
          {alarms.map((alarm) => (
            <li key={alarm.id}>
              <Alarm alarm={alarm} />
            </li>
          ))}
        </ul>
      )}
      <Pages newest={view.newest} older={view.older} end={null} />
    </div>
  );
}

function Alarm({ alarm }: { alarm: AlarmRow }) {
  const { id, title, subject, opened, last, times, evidence, closed, decision, closable } = alarm;
  return (
    <article aria-labelledby={`alarm-${id}`} className="rounded-[6px] border border-line p-3">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 id={`alarm-${id}`}>{title}</h2>
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {subject.href ? <TextLink to={subject.href}>{subject.name}</TextLink> : subject.name}
        </span>
        <span className="ml-auto text-dim text-small max-sm:ml-0">
          Opened <Moment at={opened} /> ·{" "}
          {times === 1 ? "Reported once" : `Reported ${formatInteger(times)} times`}
          {times > 1 ? (
            <>
              , last <Moment at={last} />
            </>
          ) : null}
        </span>
      </div>
      <ol className="mt-2 grid gap-1.5">
        {evidence.map(({ at, text, facts }) => (
          <li key={`${at?.iso} ${text} ${facts.join()}`} className="[overflow-wrap:anywhere]">
            {text}{" "}
            <span className="text-dim text-small">
              <Moment at={at} absolute />
              {facts.map(([name, value]) => (
                <span key={name}>
                  {" "}
                  ·{" "}
                  {value.startsWith("/stored/") ? (
                    <TextLink to={value}>{name}</TextLink>
                  ) : (
                    <>
                      {name} <span className="wire">{value}</span>
                    </>
                  )}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
      {closed ? (
        <p className="mt-2 border-line border-t pt-2 [overflow-wrap:anywhere]">
          Closed by {closed.by}, <Moment at={closed.at} absolute />: {closed.reason}
        </p>
      ) : null}
      {decision ? <p className="mt-2">{decision}</p> : null}
      {closable ? (
        <May scope="credits">
          <CloseForm id={id} />
        </May>
      ) : null}
    </article>
  );
}

function CloseForm({ id }: { id: string }) {
  const busy = useNavigation().formData?.get("alarm") === id;
  return (
    <Form method="post" preventScrollReset className="mt-3 flex flex-wrap items-end gap-2">
      <input type="hidden" name="alarm" value={id} />
      <div className="min-w-0 flex-1 basis-64">
        <TextField
          id={`reason-${id}`}
          label="Reason"
          name="reason"
          required
          maxLength={500}
          aria-describedby={`about-${id}`}
        />
      </div>
      <button type="submit" className="button" disabled={busy}>
        {busy ? "Closing..." : "Close alarm"}
      </button>
      <p id={`about-${id}`} className="basis-full text-dim text-small">
        Closing changes no mail and no credits. The reason is kept with your name.
      </p>
    </Form>
  );
}
