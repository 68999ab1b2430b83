import { Form, Link, useLocation } from "@remix-run/react";
import { JsonView } from "~/ui/json/json-view";
import { TextLink } from "~/ui/links";
import { useMay } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { Notice } from "~/ui/notice";
import { ConfirmForm, Submit } from "~/ui/submit";
import { useOpen } from "~/ui/use-open";
import { readBodyText } from "../save/body-text";
import { formatTags } from "../tag-list";
import type { CancelQuestion, ResponseView } from "./stored-view.server";

/** Links each tag to the responses that have it. @param query of the present list, to which the tag is added */
export function Tags({ tags, query }: { tags: readonly string[]; query: string }) {
  return tags.map((tag) => {
    const narrowed = new URLSearchParams(query);
    narrowed.set("tag", tag);
    for (const name of ["cursor", "open", "cancel", "delete"]) narrowed.delete(name);
    return (
      <Link
        key={tag}
        to={`/stored?${narrowed}`}
        className="max-w-full rounded-[4px] bg-line/60 px-1.5 text-small text-dim hover:text-ink"
        dir="auto"
        aria-label={`Tag ${tag}`}
      >
        {tag}
      </Link>
    );
  });
}

export function CancelledNotice({ cancelled }: { cancelled: NonNullable<ResponseView["cancelled"]> }) {
  return (
    <div className="col-span-full mt-2">
      <Notice tone="bad" title={cancelled.reason ?? "Cancelled"}>
        {cancelled.at ? <Moment at={cancelled.at} absolute /> : null}
        {cancelled.at ? " UTC" : null}
      </Notice>
    </div>
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
          defaultValue={formatTags(tags)}
          autoComplete="off"
          className="control w-56!"
        />
        <Submit intent="change_tags">Save tags</Submit>
      </Form>
    </details>
  );
}

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

interface DeleteResponseProps {
  id: string;
  subject: string;
  hasSend: boolean;
  inList?: boolean;
}

/**
 * Asks before it deletes, also without JavaScript. The question is placed in the nearest `relative` element.
 * @param inList true at the right end of a row
 */
export function DeleteResponse({ id, subject, hasSend, inList = false }: DeleteResponseProps) {
  const { open, href, onClick } = useOpen("delete", id, `response-${id}`);
  if (!useMay()("send:live")) return null;
  return (
    <>
      <a href={href} className="link" aria-expanded={open} aria-label={`Delete ${subject}`} onClick={onClick}>
        Delete
      </a>
      {open ? (
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
      ) : null}
    </>
  );
}

export function CancelMail({ id, subject, isOpen }: { id: string; subject: string; isOpen: boolean }) {
  const { pathname, search } = useLocation();
  const parameters = new URLSearchParams(search);
  parameters.set("cancel", id);
  if (!useMay()("send:live")) return null;
  return (
    <TextLink
      to={`${pathname}?${parameters}`}
      preventScrollReset
      aria-expanded={isOpen}
      aria-label={`Cancel Mail of ${subject}`}
    >
      Cancel Mail
    </TextLink>
  );
}

export function ConfirmCancel({ question: { id, message } }: { question: CancelQuestion }) {
  const here = useAddressWithout("cancel");
  if (!useMay()("send:live")) return null;
  return (
    <div className="col-span-full mt-2">
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

/** Returns the address of the page without one of its parameters. */
export function useAddressWithout(name: string): string {
  const { pathname, search } = useLocation();
  const parameters = new URLSearchParams(search);
  parameters.delete(name);
  return parameters.size === 0 ? pathname : `${pathname}?${parameters}`;
}

/** Limit of a text without a scroll box. */
const PLAIN_CHARS = 4_000;

/**
 * Shows a body: JSON as a tree, anything else as text.
 * @param text as it is stored
 */
export function Value({ label, text }: { label: string; text: string | null }) {
  const plain = readBodyText(text);
  if (plain === "") return <p className="p-4 text-dim">Nothing.</p>;
  if (plain === text) return <JsonView text={text} label={label} />;
  if (plain.length > PLAIN_CHARS) {
    return <textarea readOnly aria-label={label} value={plain} rows={24} className="control wire block" />;
  }
  return <pre className="wire whitespace-pre-wrap p-4 [overflow-wrap:anywhere]">{plain}</pre>;
}
