import { Form, Link, useLocation } from "@remix-run/react";
import { Moment } from "~/ui/moment";
import { Notice } from "~/ui/notice";
import type { ResponseRow } from "./stored-view";

/** Tags lead to everything that has them; `kept` is the filter they are added to. */
export function Tags({ tags, kept }: { tags: readonly string[]; kept: string }) {
  return tags.map((tag) => {
    const narrowed = new URLSearchParams(kept);
    narrowed.set("tag", tag);
    return (
      <Link
        key={tag}
        to={`/stored?${narrowed}`}
        className="max-w-full rounded-[4px] bg-line/60 px-1.5 text-[12px] text-dim hover:text-ink"
      >
        <span className="sr-only">Tag </span>
        <bdi>{tag}</bdi>
      </Link>
    );
  });
}

/** When and why the piece was cancelled (spec §2 cancelled notice box). */
export function CancelledNotice({ cancelled }: { cancelled: NonNullable<ResponseRow["cancelled"]> }) {
  return (
    <div className="mt-2">
      <Notice tone="bad" title="Cancelled">
        {cancelled.at ? (
          <>
            <Moment at={cancelled.at} absolute /> UTC
          </>
        ) : null}
        {cancelled.reason ? `: ${cancelled.reason}` : "."}
      </Notice>
    </div>
  );
}

/** Where a stored response leads: the Builder, its own page, the page of its send. */
export function ResponseLinks({ id, sendId }: { id: string; sendId: string | null }) {
  return (
    <>
      <Link to={`/?response=${id}`} className="link">
        Open in Builder
      </Link>
      <Link to={`/?response=${id}&again=1`} className="link">
        Run again
      </Link>
      {sendId === null ? null : (
        <Link to={`/sends/${sendId}`} className="link">
          The whole story of this send
        </Link>
      )}
    </>
  );
}

/**
 * Asks before it deletes, without JavaScript too; the question floats in the next `relative` element. Afterwards it
 * leads back to the list it stands in, or to `leads`.
 */
export function DeleteResponse({
  id,
  about,
  hasSend,
  leads,
}: {
  id: string;
  about: string;
  hasSend: boolean;
  leads?: string;
}) {
  return (
    <details>
      <summary className="link list-none [&::-webkit-details-marker]:hidden">
        Delete<span className="sr-only"> {about}</span>
      </summary>
      <Form
        method="post"
        action="/stored"
        className={`absolute top-full left-0 z-10 mt-1 w-64 rounded-[6px] border border-edge bg-surface p-3 shadow-lg ${leads ? "" : "md:right-0 md:left-auto"}`}
      >
        <ActionFields id={id} leads={leads} />
        <p className="pb-2">
          {hasSend
            ? "It leaves this list for everybody. The send keeps its own record."
            : "It is deleted for everybody, and cannot be brought back."}
        </p>
        <button type="submit" name="intent" value="delete" className="button">
          Delete this response
        </button>
      </Form>
    </details>
  );
}

function ActionFields({ id, leads }: { id: string; leads?: string }) {
  const { pathname, search } = useLocation();
  return (
    <>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="return_to" value={leads ?? pathname + search} />
    </>
  );
}
