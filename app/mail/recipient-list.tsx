import { useLocation } from "@remix-run/react";
import { Badge } from "~/ui/badge";
import { EmptyState } from "~/ui/empty/empty-state";
import { Absent } from "~/ui/fact";
import { ButtonLink, Pages, TextLink } from "~/ui/links";
import { Cell, MomentCell, Row, Table } from "~/ui/list/table";
import { useMay } from "~/ui/may";
import { ConfirmForm } from "~/ui/submit";
import { mailAddress } from "./mail-address";
import type { ListedRecipients, MailView, RecipientRow } from "./mail-view.server";
import { addressWithQuestion, formatPlaceAndUser } from "./piece-filter";

export function RecipientList({ view, list }: { view: MailView; list: ListedRecipients }) {
  const may = useMay()("send:live");
  if (list.recipients.length === 0) {
    const { user_id, type, q } = view.filter;
    return (
      <EmptyState
        drawing="book"
        action={
          q === "" && !list.newest ? (
            <ButtonLink to="/?preset=recipients.create">Create a recipient</ButtonLink>
          ) : (
            <ButtonLink to={mailAddress({ user_id, type })}>Show all</ButtonLink>
          )
        }
      >
        {list.newest
          ? "There are no older recipients."
          : q === ""
            ? "No recipients yet. Recipients that this user creates or mails appear here."
            : "No recipients match this search."}
      </EmptyState>
    );
  }
  return (
    <>
      {may ? (
        <p>
          <a href={list.csv} download className="link">
            Download CSV
          </a>
        </p>
      ) : null}
      <Table
        label="Recipients"
        narrow
        rows="keys"
        head={[
          "Name",
          { wideOnly: "E-mail" },
          "Address",
          { wideOnly: "Recipient ID" },
          { wideOnly: "Since (UTC)" },
          { unseen: "Actions" },
        ]}
      >
        {list.recipients.map((row) => (
          <RecipientLine key={row.id} row={row} confirmation={list.confirmation} />
        ))}
      </Table>
      <Pages newest={list.newest} older={list.older} end={null} />
    </>
  );
}

type LineProps = { row: RecipientRow; confirmation: ListedRecipients["confirmation"] };

function RecipientLine({ row, confirmation }: LineProps) {
  const { search } = useLocation();
  const may = useMay()("send:live");
  const question = may && confirmation?.possible && confirmation.ids.includes(row.id) ? confirmation : null;
  return (
    <>
      <Row>
        <Cell wraps="name">
          <TextLink
            to={mailAddress({ user_id: row.userId, recipient: row.id, tests: "1" })}
            title="Letters and postcards to this recipient"
          >
            {row.name}
          </TextLink>
          {row.place || row.user ? <span className="block text-dim">{formatPlaceAndUser(row)}</span> : null}
        </Cell>
        <Cell wraps="name" wideOnly>
          {row.email ?? <Absent why="none" />}
        </Cell>
        <Cell>
          <Badge tone={row.isVerified ? "ok" : "warn"}>{row.isVerified ? "Verified" : "Unverified"}</Badge>
        </Cell>
        <Cell wideOnly>
          {row.recipientId === null ? (
            <span className="text-dim lg:whitespace-nowrap">address only</span>
          ) : (
            <span className="wire">{row.recipientId}</span>
          )}
        </Cell>
        <MomentCell at={row.createdAt} wideOnly />
        <Cell>
          <span className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
            <TextLink to={`/recipients/${row.id}`}>Personal data</TextLink>
            {!may ? null : row.obstacle ? (
              <button type="button" className="button" disabled title={row.obstacle}>
                Delete
              </button>
            ) : (
              <ButtonLink to={addressWithQuestion(search, { delete: row.id })} preventScrollReset>
                Delete
              </ButtonLink>
            )}
          </span>
        </Cell>
      </Row>
      {question ? (
        <tr className="border-line border-b">
          <td colSpan={6} className="p-0 pb-3">
            <ConfirmForm
              title={question.title}
              message={question.message}
              fields={{ intent: "delete_recipient", user_id: question.userId, recipient: row.id }}
              confirmLabel="Delete recipient"
              cancelTo={addressWithQuestion(search)}
              cancelLabel="Keep"
            />
          </td>
        </tr>
      ) : null}
    </>
  );
}
