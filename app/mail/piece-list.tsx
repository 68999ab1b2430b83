import { Form, useLocation, useNavigation } from "@remix-run/react";
import { type MouseEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { EmptyState } from "~/ui/empty/empty-state";
import { ButtonLink, Pages } from "~/ui/links";
import { useListKeys } from "~/ui/list/use-list-keys";
import { May, useMay } from "~/ui/may";
import { Notice } from "~/ui/notice";
import { ConfirmForm, Submit } from "~/ui/submit";
import { useHydrated } from "~/ui/use-hydrated";
import type { Confirmation } from "./cancel-question.server";
import { StatusChips } from "./filter-bar";
import { mailAddress } from "./mail-address";
import type { ListedPieces, MailView } from "./mail-view.server";
import { addressWithQuestion } from "./piece-filter";
import { CHOSEN_FORM, PieceRow, RefreshForm, TypeIcons, useClosingMenus } from "./piece-row";
import { RefreshAll } from "./refresh-all";

export function PieceList({ view, list }: { view: MailView; list: ListedPieces }) {
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
              {may("send:live") ? (
                <a href={list.csv} download className="link">
                  Download CSV
                </a>
              ) : null}
            </span>
          </div>
          <RefreshForm />
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

/** Shows the actions on the chosen pieces: one form, to which their check boxes belong. */
function ChosenBar({ count }: { count: number }) {
  const { search } = useLocation();
  const hydrated = useHydrated();
  const may = useMay();
  const busy = useNavigation().state !== "idle";
  const action = addressWithQuestion(search);
  const kept = [...new URLSearchParams(action.split("?")[1] ?? "")];
  const none = hydrated && count === 0;
  return (
    <Form
      id={CHOSEN_FORM}
      method="post"
      action={action}
      preventScrollReset
      aria-label="Chosen pieces"
      className="flex min-h-[30px] flex-wrap items-center gap-2"
    >
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <span className="min-w-20 text-dim tabular-nums" aria-live="polite">
        {none
          ? may("send:live")
            ? "Choose pieces to refresh, cancel or export them."
            : "Choose pieces to refresh them."
          : hydrated
            ? `${count} chosen:`
            : "Chosen:"}
      </span>
      {none ? null : (
        <>
          <Submit intent="refresh" title="Asks the provider for the status of the chosen pieces only.">
            Refresh
          </Submit>
          <May scope="send:live">
            <button
              type="submit"
              name="ask"
              value="cancel"
              formMethod="get"
              formAction="/mail"
              className="button"
              disabled={busy}
            >
              Cancel
            </button>
            <button
              type="submit"
              name="chosen"
              value="1"
              formMethod="get"
              formAction="/mail/items.csv"
              className="button"
              onClick={download}
            >
              Export
            </button>
          </May>
        </>
      )}
    </Form>
  );
}

/** Downloads the file instead of navigating to it. */
function download(event: MouseEvent<HTMLButtonElement>) {
  const { form } = event.currentTarget;
  if (!form) return;
  event.preventDefault();
  const fields = [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]);
  window.location.assign(`/mail/items.csv?${new URLSearchParams(fields)}`);
}

/** Asks to confirm a cancel; says why it cannot be done when it is not possible. */
function Question({ confirmation }: { confirmation: Confirmation }) {
  const { ids, userId, title, message, possible } = confirmation;
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

type TableProps = { count: number; of: number; onAll: (chosen: boolean) => void; children: ReactNode };

function PieceTable({ count, of, onAll, children }: TableProps) {
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
