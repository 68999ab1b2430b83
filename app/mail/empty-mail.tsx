import { Link } from "@remix-run/react";
import { EmptyState } from "~/ui/empty/empty-state";
import { type MailView, mailAddress } from "./mail-view";
import { formatNoPieces } from "./messages";

/** In place of an empty list: what will be there, and the step that fills it. */
export function EmptyMail({ view: { filter } }: { view: MailView }) {
  const { user_id, type, status, q, from, to, recipient } = filter;
  const filtered = [status, q, from, to, recipient].some((value) => value !== "");
  const names = type === "letter" ? "letters" : type === "postcard" ? "postcards" : "pieces";
  return (
    <EmptyState
      drawing="envelope"
      action={
        filtered ? (
          <Link to={mailAddress({ user_id, type })} className="button">
            Show all
          </Link>
        ) : (
          <Link to={`/?preset=${type === "letter" ? "letters" : "postcards"}.create`} className="button">
            {type === "letter" ? "Write a letter" : "Send a postcard"}
          </Link>
        )
      }
    >
      {formatNoPieces(names, filtered)}
    </EmptyState>
  );
}
