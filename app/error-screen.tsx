import { isRouteErrorResponse, Link, useLocation, useRouteError } from "@remix-run/react";

/** How much of a stack an error report shows. */
const STACK_CHARS = 500;

/** The fallback for whatever could not be shown. */
export function ErrorScreen() {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const here = pathname + search;
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const stack = error instanceof Error ? error.stack?.slice(0, STACK_CHARS) : undefined;
  return (
    <main id="main" className="mx-auto grid w-full max-w-xl gap-4 px-4 py-16">
      <title>Something went wrong · Mailroom</title>
      <h1 className="text-title">{missing ? "Page not found" : "Something went wrong"}</h1>
      <p className="[overflow-wrap:anywhere]">
        {missing ? "There is nothing at this address." : findMessage(error)}
      </p>
      <p className="flex flex-wrap gap-2">
        <Link to={here} replace className="button button-primary">
          Try Again
        </Link>
        <a href={here} className="button">
          Reload Page
        </a>
        <a href="/" className="button">
          Go Home
        </a>
      </p>
      {stack ? (
        <details>
          <summary>Error report</summary>
          <pre className="wire mt-2 overflow-x-auto whitespace-pre-wrap text-dim">{stack}</pre>
        </details>
      ) : null}
    </main>
  );
}

function findMessage(error: unknown): string {
  if (isRouteErrorResponse(error)) {
    const { data } = error;
    if (typeof data === "object" && data !== null && typeof data.error === "string") return data.error;
    return typeof data === "string" && data !== "" ? data : `${error.status} ${error.statusText}`.trim();
  }
  return error instanceof Error && error.message !== "" ? error.message : "Unknown error";
}
