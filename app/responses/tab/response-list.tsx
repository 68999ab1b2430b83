import { Form, Link } from "@remix-run/react";
import { ResponseItem } from "./response-item";
import type { StoredContent, StoredView } from "./stored-view";

const COMPARE_FORM = "compare";

/** The page of stored responses that fits the filter, newest first (spec §2). */
export function ResponseList({
  view,
  content,
  loading,
}: {
  view: StoredView;
  content: StoredContent;
  loading: boolean;
}) {
  const { rows, matching } = content;
  if (rows.length === 0) {
    return (
      <div aria-live="polite">
        {loading ? (
          <Loading />
        ) : (
          <>
            <Nothing filtered={view.kept !== ""} firstPage={content.newest === null} />
            <Bound searchedNewest={content.searchedNewest} />
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
        <Bound searchedNewest={content.searchedNewest} />
        <span className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-2 max-sm:ml-0">
          <a href={`/stored.csv?${view.kept}`} download className="link">
            Download CSV
          </a>
          <a href={`/stored.ndjson?${view.kept}`} download className="link">
            NDJSON
          </a>
          <Form id={COMPARE_FORM} method="get" action="/stored/compare">
            <button type="submit" className="button" title="Tick two responses, then compare them">
              Compare two
            </button>
          </Form>
        </span>
      </div>
      <ul className={loading ? "opacity-60" : ""}>
        {rows.map((row) => (
          <ResponseItem
            key={row.id}
            row={row}
            kept={view.kept}
            opened={content.opened?.id === row.id ? content.opened.bodies : undefined}
            question={view.question?.id === row.id ? view.question : null}
            compareForm={COMPARE_FORM}
          />
        ))}
      </ul>
      <nav aria-label="Pages" className="flex gap-4 py-3">
        {content.newest ? (
          <Link to={content.newest} className="link">
            Newest
          </Link>
        ) : null}
        {content.older ? (
          <Link to={content.older} className="link">
            Older
          </Link>
        ) : (
          <span className="text-dim">No older responses.</span>
        )}
      </nav>
    </section>
  );
}

/** What a search did not look through, and why. */
function Bound({ searchedNewest }: { searchedNewest: number | null }) {
  if (searchedNewest === null) return null;
  return (
    <p className="text-dim">
      Without three letters or digits in a row, only the newest {searchedNewest.toLocaleString("en")}{" "}
      responses are searched.
    </p>
  );
}

function Loading() {
  return <p className="py-4">Loading stored responses...</p>;
}

function Nothing({ filtered, firstPage }: { filtered: boolean; firstPage: boolean }) {
  if (filtered || !firstPage) {
    return (
      <p className="py-4">
        No responses match your filters.{" "}
        <Link to="/stored" className="link">
          Show all
        </Link>
      </p>
    );
  }
  return (
    <p className="py-4">
      No responses saved yet. What you send in the{" "}
      <Link to="/" className="link">
        API Builder
      </Link>{" "}
      is stored by itself and will stand here.
    </p>
  );
}
