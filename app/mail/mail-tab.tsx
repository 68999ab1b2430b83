import { Link, useLocation, useNavigation, useRevalidator } from "@remix-run/react";
import { useState } from "react";
import { LoginNotice } from "~/people/login-notice";
import type { Flash } from "~/platform/http/flash.server";
import { DatabaseNotice } from "~/ui/database-notice";
import { FlashNotice } from "~/ui/flash-notice";
import { Notice } from "~/ui/notice";
import { FilterBar } from "./filter-bar";
import { LISTED_TYPES, type ListedType, type MailView, mailAddress, TYPE_LABELS } from "./mail-view";
import {
  FETCH_FAILED,
  LOG_IN_FOR_MAIL,
  NO_SUCH_RECIPIENT,
  SERVICE_UNAVAILABLE,
  WITHOUT_DATABASE,
} from "./messages";
import { PieceList } from "./piece-list";
import { RecipientList } from "./recipient-list";

/** What the loader returned, or why the server could not be reached. */
type Loaded = { view: MailView; flash: Flash | null } | { unreachable: string };

/** The Mail Management tab. `notDone`: why the last form was not carried out, when the server did not answer. */
export function MailTab({ loaded, notDone }: { loaded: Loaded; notDone: string | null }) {
  const [shown, setShown] = useState(loaded);
  // A failed fetch leaves the last list on the page.
  if (loaded !== shown && "view" in loaded) setShown(loaded);
  const unreachable = "unreachable" in loaded ? loaded.unreachable : null;
  const flash = "view" in loaded ? loaded.flash : null;
  const view = "view" in shown ? shown.view : null;
  const busy = useNavigation().state !== "idle";
  return (
    <div className="mx-auto grid w-full max-w-[1180px] grid-cols-[minmax(0,1fr)] content-start gap-4 px-4 py-4">
      <header className="flex flex-wrap items-end gap-x-5 gap-y-2 border-line border-b">
        <h1 className="self-center text-title">Mail Management</h1>
        {view ? <TypeTabs view={view} /> : null}
        {view?.signedIn ? (
          <span className="ml-auto flex gap-x-4 self-center">
            <Link to="/bulk" className="link">
              Lists
            </Link>
            <Link to="/insights" className="link">
              Insights
            </Link>
            <Link to="/mail/reconciliation" className="link">
              Reconciliation
            </Link>
          </span>
        ) : null}
      </header>
      {unreachable ? <Unreachable message={notDone ?? unreachable} /> : null}
      {notDone && !unreachable ? (
        <Notice tone="bad" urgent>
          {notDone}
        </Notice>
      ) : null}
      <FlashNotice flash={flash} />
      {view?.signedIn && !view.usersFailure ? <FilterBar view={view} /> : null}
      {view?.list && view.filter.recipient !== "" ? <RecipientLine view={view} /> : null}
      {view ? <Content view={view} busy={busy} /> : null}
    </div>
  );
}

function TypeTabs({ view }: { view: MailView }) {
  return (
    <nav aria-label="Item type" className="flex flex-wrap gap-x-4 max-sm:order-last max-sm:w-full">
      {LISTED_TYPES.map((type) => (
        <Link
          key={type}
          to={addressOfType(view, type)}
          className="tab -mb-px"
          aria-current={type === view.filter.type ? "page" : undefined}
        >
          {TYPE_LABELS[type]}
        </Link>
      ))}
    </nav>
  );
}

/** Whom all listed pieces are to, and what else there is about them. */
function RecipientLine({ view: { filter, recipient } }: { view: MailView }) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      <span className="[overflow-wrap:anywhere]">
        {recipient ? (
          <>
            Pieces to <b>{recipient.name}</b>
          </>
        ) : (
          NO_SUCH_RECIPIENT
        )}
      </span>
      <Link to={mailAddress({ ...filter, recipient: "" })} className="link">
        Show all recipients
      </Link>
      {recipient ? (
        <Link to={`/recipients/${recipient.id}`} className="link">
          Personal data
        </Link>
      ) : null}
    </p>
  );
}

/** Recipients have no filter but their user. */
function addressOfType({ filter }: MailView, type: ListedType): string {
  return type === "recipient"
    ? mailAddress({ user_id: filter.user_id, type })
    : mailAddress({ ...filter, type, status: "" });
}

function Content({ view, busy }: { view: MailView; busy: boolean }) {
  const { pathname, search } = useLocation();
  const again = pathname + search;
  if (!view.signedIn) return <LoginNotice purpose={LOG_IN_FOR_MAIL} />;
  const missing = [view.usersFailure, view.failure].find((failure) => failure?.code === "not_configured");
  if (missing) return <DatabaseNotice failure={missing} untilConfigured={WITHOUT_DATABASE} />;
  if (view.usersFailure) {
    return <Failed message={`Failed to load users: ${view.usersFailure.message}`} again={again} />;
  }
  if (view.failure) {
    const down = view.failure.code === "database_unavailable";
    const message = down ? SERVICE_UNAVAILABLE : view.failure.message || FETCH_FAILED;
    return <Failed message={message} again={again} />;
  }
  if (!view.list) return null;
  return (
    <div aria-busy={busy} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {view.filter.type === "recipient" ? (
        <RecipientList view={view} list={view.list} />
      ) : (
        <PieceList view={view} list={view.list} />
      )}
    </div>
  );
}

function Failed({ message, again }: { message: string; again: string }) {
  return (
    <Notice tone="bad" urgent>
      {message}{" "}
      <a className="link" href={again}>
        Retry
      </a>
    </Notice>
  );
}

/** The banner of a page that cannot reach the server. The page is loaded, so a button can try again. */
function Unreachable({ message }: { message: string }) {
  const { revalidate } = useRevalidator();
  const [trying, setTrying] = useState(false);
  const retry = async () => {
    setTrying(true);
    // Reload only when the server is back: a failed reload would replace the page by the error screen.
    const back = await fetch("/healthz").then(
      () => true,
      () => false,
    );
    setTrying(false);
    if (back) revalidate();
  };
  return (
    <Notice tone="bad" urgent>
      {message}{" "}
      <button type="button" className="link" disabled={trying} onClick={retry}>
        {trying ? "Retrying..." : "Retry"}
      </button>
    </Notice>
  );
}
