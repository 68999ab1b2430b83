import { useLocation, useNavigation } from "@remix-run/react";
import { useState } from "react";
import { CATEGORIES } from "~/catalogue/categories";
import { LoginNotice } from "~/people/login-notice";
import { formatUserOption } from "~/people/user-option";
import type { Flash } from "~/platform/http/flash.server";
import { Chart } from "~/ui/chart/chart";
import { Figure } from "~/ui/fact";
import { FilterChoice, FilterForm, FilterInput } from "~/ui/field";
import { ButtonLink, TextLink } from "~/ui/links";
import { DatabaseNotice, FlashNotice, ProblemNotice } from "~/ui/notice";
import { COLUMN_NAMES, COLUMNS, METHODS, MODES } from "../stored-response";
import { ResponseList } from "./response-list";
import type { StoredContent, StoredView } from "./stored-view.server";

export function StoredTab({ view, flash }: { view: StoredView; flash: Flash | null }) {
  const { pathname, search } = useLocation();
  const { content } = view;
  return (
    <div className="page">
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
        <DatabaseNotice failure={view.failure} untilConfigured="Until then nothing is stored." />
      ) : null}
      {content ? <Content view={view} content={content} /> : null}
    </div>
  );
}

function Content({ view, content }: { view: StoredView; content: StoredContent }) {
  const { totals } = content;
  const loading = useNavigation().location?.pathname === "/stored";
  const { search } = useLocation();
  const [ticked, setTicked] = useState<{ id: string | null; on: string } | null>(null);
  // Another page has its own boxes.
  const tickedId = ticked?.on === search ? ticked.id : null;
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
      <FilterBar view={view} users={content.users} chosen={content.chosen?.id ?? tickedId} />
      {content.problem ? (
        <ProblemNotice>{content.problem}</ProblemNotice>
      ) : (
        <ResponseList
          view={view}
          content={content}
          loading={loading}
          tickedId={tickedId}
          onTick={(id) => setTicked({ id, on: search })}
        />
      )}
    </>
  );
}

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

const STATUSES = "2xx 3xx 4xx 5xx none 200 201 400 401 402 404 409 422 429 500 502 503"
  .split(" ")
  .map((status) => [status, status === "none" ? "No answer" : status] as const);

const MODE_OPTIONS = MODES.map((mode) => [mode, mode === "test" ? "Test" : "Live"] as const);

interface FilterBarProps {
  view: StoredView;
  users: StoredContent["users"];
  /** ID of the response that is chosen to be compared; it survives a new filter. */
  chosen: string | null;
}

/** Filters the list by its address, so that a link shows the same list, and files have the same rows. */
function FilterBar({ view: { filter, columns }, users, chosen }: FilterBarProps) {
  const { status, method, mode, tag, from, to } = filter;
  return (
    <FilterForm
      values={[filter, columns]}
      action="/stored"
      role="search"
      aria-label="Filters & Search"
      className="grid items-end gap-x-3 gap-y-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,1.4fr)_minmax(0,3fr)_auto]"
    >
      <FilterChoice
        label="User"
        name="user_id"
        value={filter.user_id}
        all="All users"
        options={users.map((user) => [user.id, formatUserOption(user)])}
      />
      <FilterChoice
        label="Category"
        name="category"
        value={filter.category}
        all="All categories"
        options={CATEGORIES.map(({ id, label }) => [id, label])}
      />
      <FilterInput
        label="Search"
        type="search"
        name="search"
        placeholder="Path, method, category, preset, user, tag or recipient"
        value={filter.search}
        maxLength={200}
      />
      <button type="submit" className="button">
        Filter
      </button>
      <details
        open={[status, method, mode, tag, from, to].some((value) => value !== "")}
        className="open:col-span-full sm:col-span-2"
      >
        <summary className="link w-fit text-dim">Status, method, test or live, tag, dates</summary>
        <div className="mt-2 grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3 md:grid-cols-[1fr_1fr_1fr_2fr_auto_auto]">
          <FilterChoice label="Status" name="status" value={status} all="Any status" options={STATUSES} />
          <FilterChoice
            label="Method"
            name="method"
            value={method}
            all="Any method"
            options={METHODS.map((name) => [name, name])}
          />
          <FilterChoice
            label="Test or live"
            name="mode"
            value={mode}
            all="Any mail, and all else"
            options={MODE_OPTIONS}
          />
          <FilterInput label="Tag" name="tag" value={tag} maxLength={100} />
          <FilterInput label="From (UTC)" type="date" name="from" value={from} />
          <FilterInput label="To (UTC)" type="date" name="to" value={to} />
        </div>
      </details>
      <details open={columns.length < COLUMN_NAMES.length} className="open:col-span-full sm:col-span-2">
        <summary className="link w-fit text-dim">Columns</summary>
        <fieldset className="mt-2 flex flex-wrap gap-x-5 gap-y-1">
          <legend className="sr-only">Columns</legend>
          {COLUMN_NAMES.map((column) => (
            <label key={column} className="flex items-center gap-1.5">
              <input
                type="checkbox"
                name="columns"
                value={column}
                defaultChecked={columns.includes(column)}
                className="size-4"
              />
              {COLUMNS[column]}
            </label>
          ))}
        </fieldset>
      </details>
      {chosen === null ? null : <input type="hidden" name="compare" value={chosen} />}
    </FilterForm>
  );
}
