import { Form, Link, useLocation } from "@remix-run/react";
import type { MailType } from "~/pieces/mail-type";
import { Badge } from "~/ui/badge";
import { ConfirmForm } from "~/ui/confirm-form";
import { CopyButton } from "~/ui/copy-button";
import { Moment } from "~/ui/moment";
import { Pages } from "~/ui/pages";
import { Cell, Head, Row, Table } from "~/ui/table";
import { HeldList } from "./held-list";
import type { ItemRow, MailList, MailView } from "./mail-view";
import { addressWithQuestion, mailAddress } from "./mail-view";
import { formatNoItems } from "./messages";
import { RefreshAll } from "./refresh-all";
import { StatusBadge } from "./status-badge";
import { StatusStrip } from "./status-strip";

/** A user's letters or postcards, newest first. */
export function ItemList({ view, type, list }: { view: MailView; type: MailType; list: MailList }) {
  const live = list.items.filter((item) => item.refreshable);
  return (
    <>
      <HeldList held={list.held} />
      <StatusStrip view={view} counts={list.counts} />
      {list.items.length === 0 ? (
        <Empty view={view} type={type} />
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-4">
            <RefreshAll items={live.map(({ id }) => id)} />
            {list.csv ? (
              <a href={list.csv} download className="link">
                Download CSV
              </a>
            ) : null}
          </div>
          <Table
            label={type === "letter" ? "Letters" : "Postcards"}
            head={
              <>
                <Head>Sent (UTC)</Head>
                <Head>To</Head>
                <Head>Status</Head>
                <Head>Mail ID</Head>
                <Head>Preset</Head>
                <Head numeric>Credits</Head>
                <Head>
                  <span className="sr-only">Actions</span>
                </Head>
              </>
            }
          >
            {list.items.map((item) => (
              <ItemLine key={item.id} item={item} view={view} confirmation={list.confirmation} />
            ))}
          </Table>
          <Pages newest={list.newest} older={list.older} end={null} />
        </>
      )}
    </>
  );
}

function ItemLine({
  item,
  view,
  confirmation,
}: {
  item: ItemRow;
  view: MailView;
  confirmation: MailList["confirmation"];
}) {
  const { search } = useLocation();
  const asked = confirmation?.id === item.id ? confirmation : null;
  return (
    <>
      <Row>
        <Cell>
          <Moment at={item.createdAt} />
        </Cell>
        <Cell wraps="name">{item.addressee ?? <span className="text-dim">not named</span>}</Cell>
        <Cell>
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1" title={item.meaning}>
            <StatusBadge status={item.status} tone={item.tone} />
            {item.isTest ? <Badge tone="neutral">Test Item</Badge> : null}
            {item.isCancelled ? null : (
              <span className="text-small text-dim">{item.isTest ? "" : <Moment at={item.statusAt} />}</span>
            )}
          </span>
          {item.isCancelled ? (
            <span className="block text-small text-dim">
              <Moment at={item.cancelledAt} />
              {item.cancellationReason ? `, ${item.cancellationReason}` : ""}
            </span>
          ) : null}
        </Cell>
        <Cell>
          {item.isTest || item.mailItemId === null ? (
            <span className="text-dim">none</span>
          ) : (
            <span className="flex items-center gap-2 whitespace-nowrap">
              <span className="wire">{item.mailItemId}</span>
              <CopyButton text={item.mailItemId} inline about={`mail ID ${item.mailItemId}`} />
            </span>
          )}
        </Cell>
        <Cell>
          <span className="wire">{item.preset}</span>
        </Cell>
        <Cell numeric>{item.charged}</Cell>
        <Cell>
          <span className="flex items-center justify-end gap-3 whitespace-nowrap">
            {item.refreshable ? (
              <Form method="post" action={addressWithQuestion(search)} preventScrollReset>
                <input type="hidden" name="item" value={item.id} />
                <button
                  type="submit"
                  name="intent"
                  value="refresh"
                  className="link"
                  aria-label={`Refresh ${item.mailItemId}`}
                >
                  Refresh
                </button>
              </Form>
            ) : null}
            {item.pieceUrl ? (
              <Link to={item.pieceUrl} className="link">
                View piece
              </Link>
            ) : null}
            {item.obstacle ? (
              <button type="button" className="button" disabled title={item.obstacle}>
                Cancel
              </button>
            ) : (
              <Link
                to={addressWithQuestion(search, { cancel: item.id })}
                preventScrollReset
                className="button"
                aria-expanded={asked !== null}
              >
                Cancel
              </Link>
            )}
          </span>
        </Cell>
      </Row>
      {asked ? (
        <tr className="border-line border-b">
          <td colSpan={7} className="pb-3">
            <ConfirmForm
              title={`Cancel this ${item.type}${item.addressee ? ` to ${item.addressee}` : ""}?`}
              message={asked.message}
              fields={{ intent: "cancel", user_id: view.userId, type: item.type, item: item.id }}
              confirmLabel="Cancel Mail"
              cancelTo={addressWithQuestion(search)}
              cancelLabel="Keep it"
              action={addressWithQuestion(search)}
            />
          </td>
        </tr>
      ) : null}
    </>
  );
}

function Empty({ view, type }: { view: MailView; type: MailType }) {
  const name = type === "letter" ? "letters" : "postcards";
  if (view.status) {
    return (
      <p className="py-4">
        {formatNoItems(name, view.status)}{" "}
        <Link to={mailAddress({ user_id: view.userId, type })} className="link">
          Show all
        </Link>
      </p>
    );
  }
  return (
    <p className="py-4">
      {formatNoItems(name, "")}{" "}
      <Link to={`/?preset=${name}.create`} className="link">
        Create a {type}
      </Link>
    </p>
  );
}
