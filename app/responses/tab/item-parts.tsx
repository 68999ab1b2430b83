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
  if (!useMay()("send:test")) return null;
  return (
    <details>
      <summary className="link list-none [&::-webkit-details-marker]:hidden">
        Edit<span className="sr-only"> tags</span>
      </summary>
      <Form method="post" action="/stored" className="mt-1 flex flex-wrap gap-2">
        <ActionFields id={id} />
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

/**
 * Asks before it deletes, also without JavaScript. The question is placed in the nearest `relative` element.
 * @param returnTo the page afterwards; absent means the present one
 */
export function DeleteResponse({
  id,
  about,
  hasSend,
  returnTo,
}: {
  id: string;
  about: string;
  hasSend: boolean;
  returnTo?: string;
}) {
  if (!useMay()("send:live")) return null;
  return (
    <details>
      <summary className="link list-none [&::-webkit-details-marker]:hidden">
        Delete<span className="sr-only"> {about}</span>
      </summary>
      <Form
        method="post"
        action="/stored"
        className={`absolute top-full left-0 z-10 mt-1 w-64 rounded-[6px] border border-edge bg-surface p-3 shadow-lg ${returnTo ? "" : "md:right-0 md:left-auto"}`}
      >
        <ActionFields id={id} returnTo={returnTo} />
        <p className="pb-2">
          {hasSend
            ? "It is removed from this list for everyone. The piece keeps its own record."
            : "It is deleted for everyone and cannot be restored."}
        </p>
        <Submit intent="delete">Delete this response</Submit>
      </Form>
    </details>
  );
}

function ActionFields({ id, returnTo }: { id: string; returnTo?: string }) {
  const { pathname, search } = useLocation();
  return (
    <>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="return_to" value={returnTo ?? pathname + search} />
    </>
  );
}

/** Links to the question that confirms a cancel. */
export function CancelMail({ id, about, asked }: { id: string; about: string; asked: boolean }) {
  const { pathname, search } = useLocation();
  const parameters = new URLSearchParams(search);
  parameters.set("cancel", id);
  const may = useMay()("send:live");
  if (!may) return null;
  return (
    <TextLink to={`${pathname}?${parameters}`} preventScrollReset aria-expanded={asked}>
      Cancel Mail<span className="sr-only"> of {about}</span>
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
