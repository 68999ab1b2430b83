import { Link } from "@remix-run/react";
import { Moment } from "~/ui/moment";
import { Cell, Head, Row, Table } from "~/ui/table";
import { HELD_ID, type MailList } from "./mail-view";
import { formatMoreHeld, HELD_ABOUT, HELD_TITLE } from "./messages";
import { StatusBadge } from "./status-badge";

/** Above the items: live mail of both types whose outcome is not known yet. */
export function HeldList({ held: { rows, more } }: { held: MailList["held"] }) {
  if (rows.length === 0) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <h2 id={HELD_ID} className="scroll-mt-16">
        {HELD_TITLE}
      </h2>
      <p className="text-dim">
        {HELD_ABOUT} {more > 0 ? formatMoreHeld(rows.length, more) : null}
      </p>
      <Table
        label={HELD_TITLE}
        head={
          <>
            <Head>Sent (UTC)</Head>
            <Head>To</Head>
            <Head>Status</Head>
            <Head>Type</Head>
            <Head numeric>Credits held</Head>
            <Head>
              <span className="sr-only">Actions</span>
            </Head>
          </>
        }
      >
        {rows.map((piece) => (
          <Row key={piece.id}>
            <Cell>
              <Moment at={piece.createdAt} />
            </Cell>
            <Cell wraps="name">{piece.addressee ?? <span className="text-dim">not named</span>}</Cell>
            <Cell>
              <StatusBadge status={piece.status} tone={piece.tone} />
            </Cell>
            <Cell>{piece.type}</Cell>
            <Cell numeric>{piece.cost}</Cell>
            <Cell>
              <span className="flex justify-end whitespace-nowrap">
                <Link to={piece.pieceUrl} className="link">
                  View piece
                </Link>
              </span>
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  );
}
