import { Link } from "@remix-run/react";
import { type MailView, mailAddress } from "./mail-view";
import { formatNoPieces } from "./messages";

/** In place of an empty list: what will be there, and the step that fills it. */
export function EmptyMail({ view: { filter } }: { view: MailView }) {
  const { user_id, type, status, q, from, to, recipient } = filter;
  const filtered = [status, q, from, to, recipient].some((value) => value !== "");
  const names = type === "letter" ? "letters" : type === "postcard" ? "postcards" : "pieces";
  return (
    <div className="grid justify-items-center gap-3 py-12 text-center">
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
        <rect x="14" y="14" width="68" height="44" rx="3" className="fill-surface" />
        <path d="m15 17 29 23a6 6 0 0 0 7 0L81 17M15 56l24-20m42 20L57 36" />
        <path d="M2 26h8M0 36h10M4 46h6" className="text-accent" stroke="currentColor" />
      </svg>
      <p className="max-w-prose">{formatNoPieces(names, filtered)}</p>
      {filtered ? (
        <Link to={mailAddress({ user_id, type })} className="button">
          Show all
        </Link>
      ) : (
        <Link to={`/?preset=${type === "letter" ? "letters" : "postcards"}.create`} className="button">
          {type === "letter" ? "Write a letter" : "Send a postcard"}
        </Link>
      )}
    </div>
  );
}
