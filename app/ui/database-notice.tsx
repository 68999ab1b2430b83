import { useLocation } from "@remix-run/react";
import type { Failure } from "~/platform/outcome";
import { Notice } from "./notice";

/**
 * Replaces data when there is no database or it is down.
 * @param title heading of a temporary failure
 * @param untilConfigured names what does not work without a database
 * @param again offers to reload the page
 */
export function DatabaseNotice({
  failure,
  title,
  untilConfigured,
  again = true,
}: {
  failure: Failure;
  title?: string;
  untilConfigured: string;
  again?: boolean;
}) {
  const { pathname, search } = useLocation();
  const missing = failure.code === "not_configured";
  const heading = missing ? "Database Not Configured." : title;
  return (
    <Notice tone="warn" {...(heading ? { title: heading } : {})} urgent>
      {failure.message.replace(/\.$/, "")}. {failure.details} {missing ? untilConfigured : null}
      {!missing && again ? (
        <a className="link" href={pathname + search}>
          Try again
        </a>
      ) : null}
    </Notice>
  );
}
