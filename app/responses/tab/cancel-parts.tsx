import { Link, useLocation } from "@remix-run/react";
import { ConfirmForm } from "~/ui/confirm-form";
import { useMay } from "~/ui/may";
import type { CancelQuestion } from "./stored-view";

/** The 'Cancel Mail' link: it asks to confirm first, and says what the cancel would refund. */
export function CancelMail({ id, about, asked }: { id: string; about: string; asked: boolean }) {
  const { pathname, search } = useLocation();
  const may = useMay()("send:live");
  const parameters = new URLSearchParams(search);
  parameters.set("cancel", id);
  if (!may) return null;
  return (
    <Link to={`${pathname}?${parameters}`} preventScrollReset className="link" aria-expanded={asked}>
      Cancel Mail<span className="sr-only"> of {about}</span>
    </Link>
  );
}

/** Asks to confirm a cancel, and says what it would refund. */
export function ConfirmCancel({ question: { id, message } }: { question: CancelQuestion }) {
  const { pathname, search } = useLocation();
  const may = useMay()("send:live");
  const parameters = new URLSearchParams(search);
  parameters.delete("cancel");
  const here = parameters.size === 0 ? pathname : `${pathname}?${parameters}`;
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
