import { Link, useLocation } from "@remix-run/react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import type { StatusTone } from "~/pieces/status";
import { formatInteger } from "~/platform/format-integer";
import { ConfirmForm } from "~/ui/confirm-form";
import { EmptyState } from "~/ui/empty/empty-state";
import { ButtonLink } from "~/ui/links";
import { Pages } from "~/ui/list/pages";
import { useListKeys } from "~/ui/list/use-list-keys";
import { May, useMay } from "~/ui/may";
import { Notice } from "~/ui/notice";
import { ChosenBar } from "./chosen-bar";
import {
  addressWithQuestion,
  type Confirmation,
  type FilterFields,
  type MailList,
  type MailView,
  mailAddress,
} from "./mail-view";
import { PieceRow, TypeIcons } from "./piece-row";
import type { StatusChip } from "./piece-rows.server";
import { RefreshAll } from "./refresh-all";
import { RowMenus, useClosingMenus } from "./row-menu";

/** Lists the letters and postcards of a user, or of all, newest first. */
export function PieceList({ view, list }: { view: MailView; list: MailList }) {
  const may = useMay();
  const { items, confirmation } = list;
  const area = useRef<HTMLDivElement>(null);
  const { key, search } = useLocation();
  useClosingMenus(area);
  const [count, setCount] = useState(0);
  const recount = useCallback(() => {
    setCount(area.current?.querySelectorAll("input[name=item]:checked").length ?? 0);
  }, []);
  // A new address resets the choice, also when the rows are the same.
  useEffect(() => {
    if (key) area.current?.querySelector("form")?.reset();
    recount();
  }, [key, recount]);
  const chooseAll = (chosen: boolean) => {
    for (const box of area.current?.querySelectorAll<HTMLInputElement>("input[name=item]") ?? []) {
      box.checked = chosen;
    }
    recount();
  };
  const inRow = confirmation?.ids.length === 1 && items.some(({ id }) => id === confirmation.ids[0]);
  return (
    <>
      <StatusChips filter={view.filter} chips={list.chips} />
      {confirmation && !inRow ? <Question confirmation={confirmation} /> : null}
      {items.length === 0 ? (
        <EmptyMail view={view} />
      ) : (
        <div ref={area} onChange={recount} className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
            <ChosenBar count={count} />
            <span className="ml-auto flex flex-wrap items-center gap-4 max-sm:ml-0">
              <RefreshAll items={items.filter(({ refreshable }) => refreshable).map(({ id }) => id)} />
              {list.csv && may("send:live") ? (
                <a href={list.csv} download className="link">
                  Download CSV
                </a>
              ) : null}
            </span>
          </div>
          <RowMenus />
          <TypeIcons />
          <PieceTable count={count} of={items.length} onAll={chooseAll}>
            {items.map((item) => {
              const isAsked = confirmation?.ids.includes(item.id) ?? false;
              return [
                <PieceRow key={item.id} item={item} chosen={isAsked} search={search} />,
                isAsked && inRow && confirmation ? (
                  <tr key="question" className="border-line border-b max-sm:block">
                    <td colSpan={7} className="pb-3 max-sm:block">
                      <Question confirmation={confirmation} />
                    </td>
                  </tr>
                ) : null,
              ];
            })}
          </PieceTable>
          <Pages newest={list.newest} older={list.older} end={null} />
        </div>
      )}
    </>
  );
}

/** Asks to confirm a cancel; says why it cannot be done when it is not possible. */
function Question({
  confirmation: { ids, userId, title, message, possible },
}: {
  confirmation: Confirmation;
}) {
  const { search } = useLocation();
  const back = addressWithQuestion(search);
  if (!possible) {
    return (
      <Notice tone="warn" title={title} urgent>
        {message}
      </Notice>
    );
  }
  return (
    <May scope="send:live">
      <ConfirmForm
        title={title}
        message={message}
        fields={{ intent: "cancel", user_id: userId, item: ids }}
        confirmLabel="Cancel Mail"
        cancelTo={back}
        cancelLabel={ids.length > 1 ? "Keep them" : "Keep it"}
      />
    </May>
  );
}

function PieceTable({
  count,
  of,
  onAll,
  children,
}: {
  count: number;
  of: number;
  onAll: (chosen: boolean) => void;
  children: ReactNode;
}) {
  const list = useListKeys<HTMLTableSectionElement>();
  const head = "py-2 pr-5 pl-2 font-semibold whitespace-nowrap";
  return (
    <section aria-label="Pieces">
      <table className="w-full border-collapse text-left max-sm:block">
        <thead className="border-line border-b text-dim text-small max-sm:block">
          <tr className="max-sm:block">
            <th scope="col" className="w-9 whitespace-nowrap py-2 pl-2 max-sm:block max-sm:w-auto">
              <div className="needs-script">
                <label className="flex items-center gap-3">
                  <input
                    type="checkbox"
                    className="size-4"
                    checked={count === of}
                    onChange={(event) => onAll(event.currentTarget.checked)}
                  />
                  <span className="sm:sr-only">Choose all on this page</span>
                </label>
              </div>
            </th>
            {["To", "Type", "Status", "Sent"].map((name) => (
              <th key={name} scope="col" className={`${head} max-sm:hidden`}>
                {name}
              </th>
            ))}
            <th scope="col" className={`${head} text-right max-sm:hidden`}>
              Net credits
            </th>
            <th scope="col" className="max-sm:hidden">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={list} className="max-sm:block">
          {children}
        </tbody>
      </table>
    </section>
  );
}

/** Replaces an empty list with the step that fills it. */
function EmptyMail({ view: { filter } }: { view: MailView }) {
  const { user_id, type, status, q, from, to, recipient, list } = filter;
  const filtered = [status, q, from, to, recipient, list].some((value) => value !== "");
  const names = type === "letter" ? "letters" : type === "postcard" ? "postcards" : "pieces";
  return (
    <EmptyState
      drawing="envelope"
      action={
        filtered ? (
          <ButtonLink to={mailAddress({ user_id, type })}>Show all</ButtonLink>
        ) : (
          <ButtonLink to={`/?preset=${type === "letter" ? "letters" : "postcards"}.create`}>
            {type === "letter" ? "Write a letter" : "Send a postcard"}
          </ButtonLink>
        )
      }
    >
      {filtered
        ? `No ${names} match these filters.`
        : `No ${names} yet. Those this user sends appear here with their status.`}
    </EmptyState>
  );
}

const DOTS: Record<StatusTone, string> = {
  warn: "bg-warn",
  ok: "bg-ok",
  bad: "bg-live",
  neutral: "bg-edge",
};

/** Shows the number of pieces of each status; each chip is a link that filters by it. */
function StatusChips({ filter, chips }: { filter: FilterFields; chips: StatusChip[] }) {
  return (
    <nav aria-label="Status">
      <ul className="scrolls flex flex-wrap gap-1.5 max-sm:flex-nowrap">
        {chips.map(({ status, label, tone, count, more }) => (
          <li key={status}>
            <Link
              to={mailAddress({ ...filter, status })}
              aria-current={filter.status === status ? "page" : undefined}
              className="flex min-h-[28px] items-center gap-1.5 whitespace-nowrap rounded-full border border-line bg-surface px-2.5 hover:border-edge aria-[current]:border-accent aria-[current]:bg-accent-wash aria-[current]:text-accent"
            >
              {status === "" ? null : <span aria-hidden className={`size-1.5 rounded-full ${DOTS[tone]}`} />}
              {label}{" "}
              <span className="font-semibold tabular-nums">
                {formatInteger(count)}
                {more ? "+" : ""}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
