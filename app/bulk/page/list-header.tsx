import { Link } from "@remix-run/react";
import { formatCredits } from "~/credits/format-credits";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { Badge } from "~/ui/badge";
import { ButtonLink, TextLink } from "~/ui/links";
import { useMay } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { Act, ConfirmForm } from "~/ui/submit";
import { formatMinutes } from "../messages";
import { STATE_BADGES } from "./list-view";
import type { ListView } from "./load-list-page.server";

const QUESTIONS = {
  delete: () => ({
    title: "Delete this draft?",
    message: "Its rows, columns and tests are deleted. Nothing of it was mailed. This cannot be undone.",
    confirmLabel: "Delete draft",
  }),
  stop: ({ counts, money }: ListView) => ({
    title: "Stop this list?",
    message: `Already on their way: ${formatCount(counts.sent, "piece")}. The other ${formatCount(counts.ready, "piece")} will not be sent. This releases ${formatCredits(money.reserved)}.`,
    confirmLabel: "Stop the list",
  }),
  cancel: () => ({
    title: "Cancel all pieces that are not being printed yet?",
    message: "The credits of each cancelled piece are refunded. This takes a while.",
    confirmLabel: "Cancel Mail",
  }),
};

export function ListHeader({ list, asking }: { list: ListView; asking: string | null }) {
  const active = isActive(list);
  const { word, tone } =
    active && list.starting
      ? { word: list.starting.isSoon ? "starting" : "starts later", tone: "warn" as const }
      : STATE_BADGES[list.state];
  const may = useMay()("send:live");
  const question =
    (asking === "delete" && may && isDeletable(list)) ||
    (asking === "stop" && may && active) ||
    (asking === "cancel" && may && !active && list.cancellable > 0)
      ? QUESTIONS[asking](list)
      : null;
  return (
    <header>
      <p className="text-dim">
        <TextLink to="/mail">Mail Management</TextLink> / <TextLink to="/bulk">Lists</TextLink> /{" "}
        {list.mailType} list
      </p>
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-title [overflow-wrap:anywhere]">{list.name}</h1>
        <Badge tone={tone}>{word}</Badge>
        <ListActions list={list} />
      </div>
      <p className="mt-1 text-dim [overflow-wrap:anywhere]">
        Made by {list.by}, paid by {list.payer}, <Moment at={list.createdAt} absolute />
        {list.startedAt ? (
          <>
            {" · "}started <Moment at={list.startedAt} absolute /> by {list.startedBy}
          </>
        ) : null}
        {list.approvedBy ? ` · approved by ${list.approvedBy}` : null}
        {list.endedAt ? (
          <>
            {" · "}
            {list.state} <Moment at={list.endedAt} absolute />
          </>
        ) : null}
      </p>
      {question ? (
        <div className="mt-3">
          <ConfirmForm
            {...question}
            fields={{ intent: asking ?? "" }}
            cancelTo={`/bulk/${list.id}`}
            cancelLabel="Keep it"
          />
        </div>
      ) : null}
    </header>
  );
}

function isActive({ state }: ListView): boolean {
  return state === "running" || state === "paused";
}

function isDeletable({ state, startedAt, importPercent }: ListView): boolean {
  return state === "draft" && startedAt === null && importPercent === null;
}

function ListActions({ list }: { list: ListView }) {
  const may = useMay()("send:live");
  const active = isActive(list);
  const started = list.startedAt !== null;
  return (
    <span className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
      {list.erased ? null : (
        <Link
          to={`/?list=${list.id}`}
          className="button button-quiet"
          title="Opens the template in the API Builder. Use it for a new list, which can import this list's rows."
        >
          Open the template
        </Link>
      )}
      {may && isDeletable(list) ? (
        <Link to="?ask=delete" preventScrollReset className="button button-quiet">
          Delete draft
        </Link>
      ) : null}
      {may && list.state === "running" && !list.starting ? <Act intent="pause">Pause</Act> : null}
      {may && list.state === "paused" ? <Act intent="resume">Resume</Act> : null}
      {may && active && !list.starting ? (
        <ButtonLink to="?ask=stop" preventScrollReset>
          Stop
        </ButtonLink>
      ) : null}
      {may && started && !active && list.cancellable > 0 && !list.cancelling ? (
        <ButtonLink to="?ask=cancel" preventScrollReset>
          {`Cancel ${formatCount(list.cancellable, "piece")}`}
        </ButtonLink>
      ) : null}
      {started ? <ButtonLink to={`/mail?user_id=all&list=${list.id}`}>Show pieces</ButtonLink> : null}
      {may && started ? (
        <a href={`/bulk/${list.id}/result.csv`} className="button">
          Result as CSV
        </a>
      ) : null}
      {may && started ? <Proofs id={list.id} parts={list.proofs} /> : null}
    </span>
  );
}

/** Links to the proofs of mailing; a long list has several. */
function Proofs({ id, parts }: { id: string; parts: number }) {
  if (parts === 0) return null;
  return (
    <form action={`/bulk/${id}/proof.pdf`} className="flex gap-2">
      {parts === 1 ? null : (
        <select name="part" aria-label="Part of the list" className="control">
          {Array.from({ length: parts }, (_, index) => index + 1).map((part) => (
            <option key={part} value={part}>
              Part {part} of {parts}
            </option>
          ))}
        </select>
      )}
      <button type="submit" className="button">
        Open the proof of mailing
      </button>
    </form>
  );
}

export function ProgressPanel({ list }: { list: ListView }) {
  const { progress, statuses, money, counts } = list;
  return (
    <section aria-label="Progress" className="grid gap-3 border border-line bg-surface p-4">
      {progress ? (
        <div>
          <p className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
            <strong className="text-lead">
              {`${formatInteger(progress.done)} of ${formatCount(progress.total, "row")}`}
            </strong>
            <span className="text-dim">
              {progress.perMinute > 0 ? `${formatInteger(progress.perMinute)} in the last minute` : null}
              {progress.minutesLeft === null ? null : `, ${formatMinutes(progress.minutesLeft)} left`}
            </span>
          </p>
          <progress
            aria-label="Rows sent to the provider"
            value={progress.done}
            max={Math.max(1, progress.total)}
            className="mt-1 block h-2 w-full accent-accent"
          />
        </div>
      ) : null}
      <div className="flex flex-wrap gap-x-8 gap-y-3">
        <dl
          aria-label="Pieces by status"
          className="flex flex-wrap items-baseline gap-x-5 gap-y-1 tabular-nums"
        >
          {[
            ...statuses,
            { word: "refused", tone: "bad" as const, count: counts.refused },
            { word: "not sent yet", tone: "neutral" as const, count: counts.ready + counts.sending },
          ].map(({ word, tone, count }) =>
            count === 0 ? null : (
              <div key={word} className="flex items-baseline gap-2">
                <dt>
                  <Badge tone={tone}>{word}</Badge>
                </dt>
                <dd>{formatInteger(count)}</dd>
              </div>
            ),
          )}
        </dl>
        <dl aria-label="Credits" className="ml-auto flex flex-wrap gap-x-5 gap-y-1 tabular-nums max-sm:ml-0">
          {[
            ["Charged", money.charged] as const,
            ...(money.refunded > 0 ? [["Refunded", money.refunded] as const] : []),
            ["Reserved", money.reserved] as const,
          ].map(([name, credits]) => (
            <div key={name} className="flex gap-2">
              <dt className="text-dim">{name}</dt>
              <dd>{formatCredits(credits)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
