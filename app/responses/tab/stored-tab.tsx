import { useLocation, useNavigation } from "@remix-run/react";
import { useState } from "react";
import { LoginNotice } from "~/people/login-notice";
import { Chart } from "~/ui/chart/chart";
import { DatabaseNotice } from "~/ui/database-notice";
import { Figure } from "~/ui/figure";
import { FlashNotice } from "~/ui/flash-notice";
import { ButtonLink, TextLink } from "~/ui/links";
import { ProblemNotice } from "~/ui/notice";
import { FilterForm } from "./filter-form";
import { ResponseList } from "./response-list";
import type { StoredContent, StoredView } from "./stored-view.server";

interface Flash {
  tone: "ok" | "bad" | "info";
  message: string;
}

/** The Stored Responses tab. */
export function StoredTab({ view, flash }: { view: StoredView; flash: Flash | null }) {
  const { pathname, search } = useLocation();
  const { content } = view;
  return (
    <div className="mx-auto grid w-full max-w-[1180px] grid-cols-[minmax(0,1fr)] content-start gap-4 px-4 py-4">
      <header className="flex flex-wrap items-center gap-x-5 gap-y-1 border-line border-b pb-2.5">
        <h1 className="text-title">Stored Responses</h1>
        {content ? (
          <>
            <AppliedFilter view={view} />
            <span className="ml-auto flex items-center gap-x-5">
              <TextLink to="/insights">Answer times and errors</TextLink>
              <ButtonLink to={pathname + search} replace preventScrollReset>
                Refresh
              </ButtonLink>
            </span>
          </>
        ) : null}
      </header>
      <FlashNotice flash={flash} />
      {view.signedIn ? null : <LoginNotice purpose="to see what you and your team sent and saved." />}
      {view.failure ? (
        <DatabaseNotice
          failure={view.failure}
          untilConfigured="Until then nothing is stored. Everything else works."
        />
      ) : null}
      {content ? <Content view={view} content={content} /> : null}
    </div>
  );
}

function Content({ view, content }: { view: StoredView; content: StoredContent }) {
  const { totals } = content;
  const loading = useNavigation().location?.pathname === "/stored";
  const { search } = useLocation();
  const [pick, setPick] = useState<{ id: string | null; on: string } | null>(null);
  // Another page has its own boxes.
  const picked = pick?.on === search ? pick.id : null;
  return (
    <>
      <div className="grid items-start gap-x-8 gap-y-4 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Chart {...content.days} />
        <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4 md:pt-9">
          <Figure label="Total Responses" value={totals.total} note="all users" />
          <Figure label="Successful" value={totals.successful} note="status 200 or 201" />
          <Figure label="Errors" value={totals.errors} note="status 400 and above" />
          <Figure label="Recent (24h)" value={totals.recent} />
        </dl>
      </div>
      <FilterForm view={view} users={content.users} chosen={content.chosen?.id ?? picked} />
      {view.problem ? (
        <ProblemNotice>{view.problem}</ProblemNotice>
      ) : (
        <ResponseList
          view={view}
          content={content}
          loading={loading}
          picked={picked}
          onPick={(id) => setPick({ id, on: search })}
        />
      )}
    </>
  );
}

/** Shows the present filter as text. */
function AppliedFilter({ view }: { view: StoredView }) {
  return (
    <p className="min-w-0 text-dim [overflow-wrap:anywhere] max-sm:w-full">
      Filters: {view.applied.join(" · ")}
      {view.filterQuery === "" ? null : (
        <>
          {" "}
          <TextLink to="/stored">Clear filters</TextLink>
        </>
      )}
    </p>
  );
}
