import { Form, Link, useNavigation } from "@remix-run/react";
import { useListKeys } from "~/ui/list/use-list-keys";
import { ProblemNotice } from "~/ui/notice";
import { formatResultCount, type Hit, HitText, listGroups, SEARCH_HINT, type SearchResult } from "./found";

export function SearchPage({ result }: { result: SearchResult }) {
  const { query, problem } = result;
  const groups = listGroups(result);
  const busy = useNavigation().formAction === "/search";
  const list = useListKeys<HTMLDivElement>();
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0);
  return (
    <div className="page max-w-[820px]">
      <h1 className="border-line border-b pb-2.5 text-title">Search</h1>
      <Form key={query} method="post" action="/search" role="search" className="grid gap-1.5">
        <label htmlFor="search-query" className="font-medium">
          Search for
        </label>
        <div className="flex gap-2">
          <input
            id="search-query"
            name="q"
            defaultValue={query}
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
            aria-describedby="search-hint"
            className="control min-w-0 flex-1"
          />
          <button type="submit" className="button button-primary">
            Search
          </button>
        </div>
        <p id="search-hint" className="text-dim text-small">
          {SEARCH_HINT}
        </p>
      </Form>
      <ProblemNotice>{problem}</ProblemNotice>
      {query === "" || (problem !== null && count === 0) ? null : (
        <p aria-live="polite" className="tabular-nums">
          {formatResultCount(query, count)}
        </p>
      )}
      <div ref={list} aria-busy={busy} className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {groups.map((group) => (
          <Group key={group.title} {...group} />
        ))}
      </div>
    </div>
  );
}

function Group({ title, hits }: { title: string; hits: Hit[] }) {
  return (
    <section aria-label={title}>
      <h2 className="border-line border-b pb-1 font-semibold text-dim text-small">{title}</h2>
      <ul>
        {hits.map((hit) => (
          <li key={`${hit.to} ${hit.title} ${hit.detail}`} data-row className="border-line border-b">
            <Link to={hit.to} className="block px-2 py-1.5 hover:bg-sunken">
              <HitText hit={hit} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
