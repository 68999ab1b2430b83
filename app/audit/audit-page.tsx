import { Link } from "@remix-run/react";
import { Badge } from "~/ui/badge";
import { EmptyState } from "~/ui/empty/empty-state";
import { FilterChoice, FilterForm } from "~/ui/field";
import { Pages, TextLink } from "~/ui/links";
import { Cell, MomentCell, Row, Table } from "~/ui/list/table";
import { AUDIT_OUTCOMES, AUDIT_ROOMS, auditAddress } from "./audit-view";
import type { AuditView } from "./audit-view.server";

const TONES = { done: "neutral", refused: "warn", failed: "bad" } as const;

export function AuditPage({ view }: { view: AuditView }) {
  const { filter, rows } = view;
  return (
    <div className="page">
      <header className="flex flex-wrap items-baseline gap-x-5 gap-y-2">
        <h1 className="text-title">Audit log</h1>
        <a href={auditAddress(filter, null, "/audit.csv")} download className="link ml-auto">
          Download as CSV
        </a>
      </header>
      <FilterForm values={filter} className="flex flex-wrap items-end gap-3">
        <FilterChoice
          label="What"
          name="what"
          value={filter.room}
          all="All"
          options={toOptions(AUDIT_ROOMS)}
        />
        <FilterChoice
          label="Outcome"
          name="outcome"
          value={filter.outcome}
          all="All"
          options={toOptions(AUDIT_OUTCOMES)}
        />
        {filter.actorId ? <input type="hidden" name="who" value={filter.actorId} /> : null}
        <button type="submit" className="button">
          Filter events
        </button>
        {filter.actorId ? (
          <Link to={auditAddress({ ...filter, actorId: null })} className="link py-1.5">
            Show everyone
          </Link>
        ) : null}
      </FilterForm>
      {rows.length === 0 ? (
        <EmptyState drawing="cards">No events match this filter.</EmptyState>
      ) : (
        <Table label="Events" head={["When", "Who", "What", "Subject", "Outcome", { wideOnly: "Address" }]}>
          {rows.map(({ id, at, actorId, actor, token, what, subject, outcome, address }) => (
            <Row key={id}>
              <MomentCell at={at} absolute />
              <Cell>
                <TextLink to={auditAddress({ ...filter, actorId })}>{actor}</TextLink>
                {token ? ` via ${token}` : null}
              </Cell>
              <Cell>
                <span className="wire">{what}</span>
              </Cell>
              <Cell>
                {what === "person.erase" ? (
                  <Link to={`/recipients/${subject}`} className="wire link [overflow-wrap:anywhere]">
                    {subject}
                  </Link>
                ) : (
                  <span className="wire [overflow-wrap:anywhere]">{subject}</span>
                )}
              </Cell>
              <Cell>
                <Badge tone={TONES[outcome]}>{outcome}</Badge>
              </Cell>
              <Cell wideOnly>
                <span className="wire">{address}</span>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <Pages newest={view.newest} older={view.older} end={null} />
    </div>
  );
}

function toOptions(values: readonly string[]) {
  return values.map((value) => [value, value.replaceAll("_", " ")] as const);
}
