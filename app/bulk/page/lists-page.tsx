import { formatInteger } from "~/platform/format-integer";
import type { Flash } from "~/platform/http/flash.server";
import type { Failure } from "~/platform/outcome";
import { Badge } from "~/ui/badge";
import { EmptyState } from "~/ui/empty/empty-state";
import { ButtonLink, TextLink } from "~/ui/links";
import { Cell, MomentCell, Row, Table } from "~/ui/list/table";
import { May } from "~/ui/may";
import { DatabaseNotice, FlashNotice } from "~/ui/notice";
import type { ListEntry } from "../list-record.server";
import { STATE_BADGES } from "./list-view";

interface ListsPageProps {
  lists: ListEntry[];
  /** The team's templates, from which a list can be made. */
  templates: { id: string; name: string }[];
  failure: Failure | null;
  flash: Flash | null;
}

export function ListsPage({ lists, templates, failure, flash }: ListsPageProps) {
  return (
    <div className="page py-6">
      <div>
        <p className="text-dim">
          <TextLink to="/mail">Mail Management</TextLink>
        </p>
        <h1 className="mt-1 text-title">Lists</h1>
        <p className="mt-1 text-dim">
          A list sends one template to many people.{" "}
          <May scope="send:test">
            To make one, open a postcard, a letter or a template of the team in the API Builder and press Send
            to a list.
          </May>
        </p>
        {lists.length > 0 ? (
          <p className="mt-3 flex flex-wrap gap-2">
            <NewListLinks templates={templates} />
          </p>
        ) : null}
      </div>
      <FlashNotice flash={flash} />
      {failure ? (
        <DatabaseNotice
          failure={failure}
          title="Lists could not be loaded."
          untilConfigured="Lists need a database."
        />
      ) : lists.length === 0 ? (
        <EmptyState drawing="stack" action={<NewListLinks templates={templates} />}>
          No lists yet. Each list appears here with its progress and the status of its pieces.
        </EmptyState>
      ) : (
        <Table
          label="Lists"
          rows="keys"
          head={["List", "State", "Type", { numeric: "Rows" }, { numeric: "Sent" }, "Made by", "Made"]}
        >
          {lists.map((list) => (
            <Row key={list.id}>
              <Cell wraps="name">
                <TextLink to={`/bulk/${list.id}`}>{list.name}</TextLink>
              </Cell>
              <Cell>
                <Badge tone={STATE_BADGES[list.state].tone}>{STATE_BADGES[list.state].word}</Badge>
              </Cell>
              <Cell>{list.mailType}</Cell>
              <Cell numeric>{formatInteger(list.rows)}</Cell>
              <Cell numeric>{formatInteger(list.sent)}</Cell>
              <Cell wraps="name">{list.by}</Cell>
              <MomentCell at={list.createdAt} />
            </Row>
          ))}
        </Table>
      )}
    </div>
  );
}

function NewListLinks({ templates }: { templates: { id: string; name: string }[] }) {
  return (
    <May scope="send:test">
      <ButtonLink to="/?preset=postcards.create">Design a postcard</ButtonLink>
      <ButtonLink to="/?preset=letters.create">Design a letter</ButtonLink>
      {templates.map(({ id, name }) => (
        <ButtonLink key={id} to={`/?template=${id}&from=start`}>
          Template: {name}
        </ButtonLink>
      ))}
    </May>
  );
}
