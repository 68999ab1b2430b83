import { Link, useLocation, useNavigation } from "@remix-run/react";
import { LoginNotice } from "~/people/login-notice";
import type { Flash } from "~/platform/http/flash.server";
import { TextLink } from "~/ui/links";
import { FETCH_FAILED, SERVICE_UNAVAILABLE } from "~/ui/network-notice";
import { DatabaseNotice, FlashNotice, ProblemNotice } from "~/ui/notice";
import { FilterBar } from "./filter-bar";
import { mailAddress } from "./mail-address";
import type { MailView } from "./mail-view.server";
import { LISTED_TYPES, type ListedType, TYPE_LABELS } from "./piece-filter";
import { PieceList } from "./piece-list";
import { RecipientList } from "./recipient-list";

export function MailTab({ view, flash }: { view: MailView; flash: Flash | null }) {
  const busy = useNavigation().state !== "idle";
  return (
    <div className="page">
      <header className="flex flex-wrap items-end gap-x-5 gap-y-2 border-line border-b max-lg:gap-x-4">
        <h1 className="self-center text-title">Mail Management</h1>
        <TypeTabs view={view} />
        {view.signedIn ? (
          <span className="ml-auto flex gap-x-4 self-center max-lg:gap-x-3">
            <TextLink to="/bulk">Lists</TextLink>
            <TextLink to="/insights">Insights</TextLink>
            <TextLink to="/mail/reconciliation">Reconciliation</TextLink>
          </span>
        ) : null}
      </header>
      <FlashNotice flash={flash} />
      {view.signedIn && !view.usersFailure ? <FilterBar view={view} /> : null}
      {view.list && view.filter.recipient !== "" ? <RecipientLine view={view} /> : null}
      <Content view={view} busy={busy} />
    </div>
  );
}

function TypeTabs({ view }: { view: MailView }) {
  const cameBack = view.filter.type === "" && view.filter.status === "returned";
  return (
    <nav aria-label="Item type" className="flex flex-wrap gap-x-4 max-sm:order-last max-sm:w-full">
      {LISTED_TYPES.map((type) => (
        <Link
          key={type}
          to={addressOfType(view, type)}
          className="tab -mb-px"
          aria-current={type === view.filter.type && !cameBack ? "page" : undefined}
        >
          {TYPE_LABELS[type]}
        </Link>
      ))}
      <Link
        to={mailAddress({ ...view.filter, type: "", q: "", status: "returned" })}
        className="tab -mb-px"
        aria-current={cameBack ? "page" : undefined}
      >
        Came back
      </Link>
    </nav>
  );
}

/** Names the recipient of all listed pieces, with links. */
function RecipientLine({ view: { filter, recipient } }: { view: MailView }) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      <span className="[overflow-wrap:anywhere]">
        {recipient ? (
          <>
            Pieces to <b>{recipient.name}</b>
          </>
        ) : (
          "This recipient is no longer in Mailroom."
        )}
      </span>
      <TextLink to={mailAddress({ ...filter, recipient: "" })}>Show all recipients</TextLink>
      {recipient ? <TextLink to={`/recipients/${recipient.id}`}>Personal data</TextLink> : null}
    </p>
  );
}

/** Returns the address of a type. Recipients are filtered by user and a search of their own only. */
function addressOfType({ filter }: MailView, type: ListedType): string {
  return type === "recipient"
    ? mailAddress({ user_id: filter.user_id, type })
    : mailAddress({ ...filter, type, q: filter.type === "recipient" ? "" : filter.q, status: "" });
}

function Content({ view, busy }: { view: MailView; busy: boolean }) {
  const { pathname, search } = useLocation();
  if (!view.signedIn) return <LoginNotice purpose="to see mail and recipients." />;
  const missing = [view.usersFailure, view.failure].find((failure) => failure?.code === "not_configured");
  if (missing)
    return (
      <DatabaseNotice
        failure={missing}
        untilConfigured="Until then nothing is stored, and no live mail is sent."
      />
    );
  const problem = formatProblem(view);
  if (problem !== null) {
    return (
      <ProblemNotice>
        {problem}{" "}
        {view.failure?.code === "not_found" ? null : (
          <a className="link" href={pathname + search}>
            Retry
          </a>
        )}
      </ProblemNotice>
    );
  }
  if (!view.list) return null;
  return (
    <div aria-busy={busy} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {view.list.kind === "recipients" ? (
        <RecipientList view={view} list={view.list} />
      ) : (
        <PieceList view={view} list={view.list} />
      )}
    </div>
  );
}

function formatProblem({ usersFailure, failure }: MailView): string | null {
  if (usersFailure) return `Failed to load users: ${usersFailure.message}`;
  if (!failure) return null;
  return failure.code === "database_unavailable" ? SERVICE_UNAVAILABLE : failure.message || FETCH_FAILED;
}
