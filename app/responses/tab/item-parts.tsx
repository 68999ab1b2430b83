import { Form, Link, useLocation } from "@remix-run/react";
import { ConfirmForm } from "~/ui/confirm-form";
import { TextLink } from "~/ui/links";
import { useMay } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { Notice } from "~/ui/notice";
import { Submit } from "~/ui/submit";
import type { CancelQuestion } from "./stored-view";
import type { ResponseRow } from "./stored-view.server";

/** Links each tag to the responses that have it. @param query the present filter, to which the tag is added */
export function Tags({ tags, query }: { tags: readonly string[]; query: string }) {
  return tags.map((tag) => {
    const narrowed = new URLSearchParams(query);
    narrowed.set("tag", tag);
    return (
      <Link
        key={tag}
        to={`/stored?${narrowed}`}
        className="max-w-full rounded-[4px] bg-line/60 px-1.5 text-small text-dim hover:text-ink"
      >
        <span className="sr-only">Tag </span>
        <bdi>{tag}</bdi>
      </Link>
    );
  });
}

/** Shows the time and reason of a cancel. */
export function CancelledNotice({ cancelled }: { cancelled: NonNullable<ResponseRow["cancelled"]> }) {
  return (
    <div className="mt-2">
      <Notice tone="bad" title={cancelled.reason ?? "Cancelled"}>
        {cancelled.at ? (
          <>
            <Moment at={cancelled.at} absolute /> UTC
          </>
        ) : null}
      </Notice>
    </div>
  );
}

/** Links to open a stored response in the Builder, and to its piece. */
export function ResponseLinks({ id, sendId }: { id: string; sendId: string | null }) {
  return (
    <>
      <TextLink to={`/?response=${id}`}>Open in Builder</TextLink>
      <TextLink to={`/?response=${id}&again=1`}>Run again</TextLink>
      <DownloadAnswer id={id} />
      {sendId === null ? null : <TextLink to={`/sends/${sendId}`}>View piece</TextLink>}
    </>
  );
}

/** Edits the tags in place, also without JavaScript. */
export function EditTags({ id, tags }: { id: string; tags: readonly string[] }) {
  const { pathname, search } = useLocation();
  if (!useMay()("send:test")) return null;
  return (
    <details>
      <summary className="link list-none [&::-webkit-details-marker]:hidden">
        Edit<span className="sr-only"> tags</span>
      </summary>
      <Form method="post" action="/stored" className="mt-1 flex flex-wrap gap-2">
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="return_to" value={pathname + search} />
        <input
          type="text"
          name="tags"
          aria-label="Tags, separated by commas"
          defaultValue={tags.join(", ")}
          autoComplete="off"
          className="control w-56!"
        />
        <Submit intent="change_tags">Save tags</Submit>
      </Form>
    </details>
  );
}

/** Links to the answer as it came, with its type and name. */
export function DownloadAnswer({ id }: { id: string }) {
  return (
    <a href={`/stored/${id}/answer`} download className="link">
      Download
    </a>
  );
}

const DELETE_FORM = "delete-response";

/** The form of every {@link DeleteResponse} of the page. A form in each row would be hydrated 50 times. */
export function DeleteForm({ returnTo }: { returnTo: string }) {
  return (
    <Form id={DELETE_FORM} method="post" action="/stored" className="hidden">
      <input type="hidden" name="intent" value="delete" />
      <input type="hidden" name="return_to" value={returnTo} />
    </Form>
  );
}

/**
 * Asks before it deletes, also without JavaScript. The question is placed in the nearest `relative` element.
 * @param inList true at the right end of a row
 */
export function DeleteResponse({
  id,
  subject,
  hasSend,
  inList = false,
}: {
  id: string;
  subject: string;
  hasSend: boolean;
  inList?: boolean;
}) {
  if (!useMay()("send:live")) return null;
  return (
    <details>
      <summary className="link list-none [&::-webkit-details-marker]:hidden">
        Delete<span className="sr-only"> {subject}</span>
      </summary>
      <div
        className={`absolute top-full left-0 z-10 mt-1 w-64 rounded-[6px] border border-edge bg-surface p-3 shadow-lg ${inList ? "md:right-0 md:left-auto" : ""}`}
      >
        <p className="pb-2">
          {hasSend
            ? "It is removed from this list for everyone. The piece keeps its own record."
            : "It is deleted for everyone and cannot be restored."}
        </p>
        <button type="submit" form={DELETE_FORM} name="id" value={id} className="button">
          Delete this response
        </button>
      </div>
    </details>
  );
}

/** Links to the question that confirms a cancel. */
export function CancelMail({ id, subject, isOpen }: { id: string; subject: string; isOpen: boolean }) {
  const { pathname, search } = useLocation();
  const parameters = new URLSearchParams(search);
  parameters.set("cancel", id);
  const may = useMay()("send:live");
  if (!may) return null;
  return (
    <TextLink to={`${pathname}?${parameters}`} preventScrollReset aria-expanded={isOpen}>
      Cancel Mail<span className="sr-only"> of {subject}</span>
    </TextLink>
  );
}

/** Asks to confirm a cancel, with its refund. */
export function ConfirmCancel({ question: { id, message } }: { question: CancelQuestion }) {
  const { pathname, search } = useLocation();
  const parameters = new URLSearchParams(search);
  parameters.delete("cancel");
  const here = parameters.size === 0 ? pathname : `${pathname}?${parameters}`;
  const may = useMay()("send:live");
  if (!may) return null;
  return (
    <div className="mt-2">
      <ConfirmForm
        title="Cancel this mail?"
        message={message}
        fields={{ intent: "cancel", id, return_to: here }}
        confirmLabel="Cancel this mail"
        cancelTo={here}
        cancelLabel="Keep it"
        action="/stored"
      />
    </div>
  );
}
