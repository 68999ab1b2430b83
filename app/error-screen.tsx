import { isRouteErrorResponse, Link, useLocation, useRouteError } from "@remix-run/react";
import { type KeptForm, TryAgain } from "./people/kept-form";

const STACK_CHARS = 500;

const FAILED = "This page could not be made. Check whether your change was done, then try again.";

export function ErrorScreen() {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const here = pathname + search;
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const refused = isRouteErrorResponse(error) && error.status === 403;
  const kept = isRouteErrorResponse(error) ? (error.data?.kept as KeptForm | undefined) : undefined;
  const stack = error instanceof Error ? error.stack?.slice(0, STACK_CHARS) : undefined;
  return (
    <main id="main" className="mx-auto grid w-full max-w-xl gap-4 px-4 py-16">
      <ReturnedLetter />
      <div>
        {isRouteErrorResponse(error) ? (
          <p className="text-dim text-small tabular-nums">Error {error.status}</p>
        ) : null}
        <h1 className="text-title">{findTitle(error)}</h1>
      </div>
      <p className="[overflow-wrap:anywhere]">
        {missing
          ? "There is nothing at this address. Check the link, or search for what you need."
          : kept
            ? "Nothing was changed, and what you typed is kept. Log in, then come back to this tab and try again."
            : findMessage(error)}
      </p>
      {kept ? (
        <TryAgain form={kept} />
      ) : (
        <p className="flex flex-wrap gap-2">
          {missing ? <GoHome primary /> : null}
          {refused ? (
            <Link to="/profile" className="button button-primary">
              Your scopes
            </Link>
          ) : (
            <Link to={here} replace className={missing ? "button" : "button button-primary"}>
              Try Again
            </Link>
          )}
          <a href={here} className="button">
            Reload Page
          </a>
          {missing ? null : <GoHome />}
        </p>
      )}
      {stack ? (
        <details>
          <summary>Error report</summary>
          <pre className="wire mt-2 overflow-x-auto whitespace-pre-wrap text-dim">{stack}</pre>
        </details>
      ) : null}
    </main>
  );
}

function GoHome({ primary }: { primary?: boolean }) {
  return (
    <a href="/" className={`button ${primary ? "button-primary" : ""}`}>
      Go Home
    </a>
  );
}

/** Separate from the drawings of empty lists, because every page loads this one. */
function ReturnedLetter() {
  return (
    <svg
      aria-hidden
      width="96"
      height="64"
      viewBox="0 0 96 64"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      className="text-edge"
    >
      <rect x="18" y="6" width="68" height="44" rx="3" className="fill-surface" />
      <path d="M26 16h20M26 23h14M52 33h24M52 40h16M68 12h12v12H68z" />
      <path d="M52 57H8V33m-6 7 6-7 6 7" className="text-accent" />
    </svg>
  );
}

export function findTitle(error: unknown): string {
  const status = isRouteErrorResponse(error) ? error.status : null;
  if (status === 404) return "Page not found";
  if (status === 403) return "Not allowed";
  if (status === 401) return "Logged out";
  const noDatabase = findMessage(error).startsWith("Database connection not available");
  return noDatabase ? "Database Not Configured" : "Something went wrong";
}

export function findMessage(error: unknown): string {
  if (isRouteErrorResponse(error)) {
    const { data } = error;
    if (typeof data?.error === "string")
      return data.code === "not_configured" && data.details ? `${data.error}. ${data.details}` : data.error;
    return typeof data === "string" && data !== "" ? data : `${error.status} ${error.statusText}`.trim();
  }
  const message = error instanceof Error ? error.message : "";
  // Remix's messages for an answer of a proxy, and for any error of a loader or action.
  return /^(Unable to decode turbo|Unexpected Server)/.test(message) ? FAILED : message || "Unknown error";
}
