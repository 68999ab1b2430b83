import { Form, Link } from "@remix-run/react";
import { useEffect } from "react";
import { formatInteger } from "~/platform/format-integer";
import { EmptyState } from "~/ui/empty/empty-state";
import { ButtonLink, Pages, TextLink } from "~/ui/links";
import { useListKeys } from "~/ui/list/use-list-keys";
import { May } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { ResponseItem } from "./response-item";
import { DeleteForm, useAddressWithout } from "./response-parts";
import type { StoredContent, StoredView } from "./stored-view.server";

const COMPARE_FORM = "compare";

interface ResponseListProps {
  view: StoredView;
  content: StoredContent;
  loading: boolean;
  /** ID of the ticked response, for the addresses of other pages; null for none or several. */
  tickedId: string | null;
  onTick: (id: string | null) => void;
}

export function ResponseList({ view, content, loading, tickedId, onTick }: ResponseListProps) {
  const { rows, matching, chosen } = content;
  const here = useAddressWithout("delete");
  const list = useListKeys<HTMLUListElement>();
  const reportTicked = () => {
    const ticked = list.current?.querySelectorAll<HTMLInputElement>('input[name="id"]:checked:enabled') ?? [];
    const id = ticked.length === 1 ? (ticked[0]?.value ?? null) : null;
    if (id !== tickedId) onTick(id);
  };
  // Counts boxes that were ticked before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(reportTicked, []);
  if (rows.length === 0) {
    return (
      <div aria-live="polite">
        {loading ? (
          <p className="py-4">Loading stored responses...</p>
        ) : (
          <>
            <NoResponses filtered={view.filterQuery !== ""} firstPage={content.newest === null} />
            <SearchBound searchedNewest={content.searchedNewest} />
          </>
        )}
      </div>
    );
  }
  return (
    <section aria-label="Stored responses" aria-busy={loading}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b pb-2">
        <p aria-live="polite" className="tabular-nums">
          {loading ? "Loading stored responses..." : `Showing ${rows.length} of ${matching} responses`}
        </p>
        <SearchBound searchedNewest={content.searchedNewest} />
        <span className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-2 max-sm:ml-0">
          <May scope="send:live">
            <a href={`/stored.csv?${view.filterQuery}`} download className="link">
              Download CSV
            </a>
            <a href={`/stored.ndjson?${view.filterQuery}`} download className="link">
              NDJSON
            </a>
          </May>
          <Form id={COMPARE_FORM} method="get" action="/stored/compare">
            <input type="hidden" name="list" value={view.listQuery} />
            {chosen ? <input type="hidden" name="id" value={chosen.id} /> : null}
            <button
              type="submit"
              className="button"
              title={
                chosen
                  ? "Select the second response first"
                  : "Select two responses, or one here and another one on another page"
              }
            >
              {chosen ? "Compare with chosen" : "Compare two"}
            </button>
          </Form>
        </span>
      </div>
      {chosen ? <Chosen chosen={chosen} /> : null}
      <DeleteForm returnTo={here} />
      <ul ref={list} onChange={reportTicked} className={loading ? "opacity-60" : ""}>
        {rows.map((row) => (
          <ResponseItem
            key={row.id}
            row={row}
            columns={view.columns}
            chosen={chosen?.id === row.id}
            opened={content.opened?.id === row.id ? content.opened.bodies : undefined}
            question={view.question?.id === row.id ? view.question : null}
            compareForm={COMPARE_FORM}
          />
        ))}
      </ul>
      <Pages
        newest={withTicked(content.newest, tickedId)}
        older={withTicked(content.older, tickedId)}
        end="No older responses."
      />
    </section>
  );
}

/** Adds the ticked response to the address of another page of the list. */
function withTicked(address: string | null, tickedId: string | null): string | null {
  if (address === null || tickedId === null) return address;
  const [pathname, query] = address.split("?");
  const parameters = new URLSearchParams(query);
  if (!parameters.has("compare")) parameters.set("compare", tickedId);
  return `${pathname}?${parameters}`;
}

function SearchBound({ searchedNewest }: { searchedNewest: number | null }) {
  if (searchedNewest === null) return null;
  return (
    <p className="text-dim">
      With fewer than three letters or digits in a row, only the newest {formatInteger(searchedNewest)}{" "}
      responses are searched.
    </p>
  );
}

function Chosen({ chosen }: { chosen: NonNullable<StoredContent["chosen"]> }) {
  return (
    <p
      role="status"
      className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-line border-b bg-accent-wash px-2 py-1.5"
    >
      <span className="min-w-0 [overflow-wrap:anywhere]">
        Chosen:{" "}
        <Link to={`/stored/${chosen.id}`} className="wire link">
          {chosen.subject}
        </Link>
        , <Moment at={chosen.at} />.
      </span>
      <span>Select another one, on this page or any other, then compare.</span>
      <TextLink to={chosen.remove} preventScrollReset>
        Remove
      </TextLink>
    </p>
  );
}

function NoResponses({ filtered, firstPage }: { filtered: boolean; firstPage: boolean }) {
  return filtered || !firstPage ? (
    <EmptyState drawing="cards" action={<ButtonLink to="/stored">Show all</ButtonLink>}>
      No responses match your filters.
    </EmptyState>
  ) : (
    <EmptyState drawing="cards" action={<ButtonLink to="/">Open the API Builder</ButtonLink>}>
      No responses saved yet. Send a request, and its response appears here.
    </EmptyState>
  );
}
