import { Link, useLocation } from "@remix-run/react";
import { ConfirmForm } from "~/ui/confirm-form";
import type { CancelQuestion } from "./stored-view";

/** 'Cancel Mail' (spec §2), where the piece can be cancelled by the rule of spec §4: asks what that would bring. */
export function CancelMail({ id, about, asked }: { id: string; about: string; asked: boolean }) {
  const { pathname, search } = useLocation();
  const parameters = new URLSearchParams(search);
  parameters.set("cancel", id);
  return (
    <Link to={`${pathname}?${parameters}`} preventScrollReset className="link" aria-expanded={asked}>
      Cancel Mail<span className="sr-only"> of {about}</span>
    </Link>
  );
}

/** Says what a cancel would bring before it is done; a link away from it leaves all as it is. */
export function ConfirmCancel({ question: { id, says } }: { question: CancelQuestion }) {
  const { pathname, search } = useLocation();
  const parameters = new URLSearchParams(search);
  parameters.delete("cancel");
  const here = parameters.size === 0 ? pathname : `${pathname}?${parameters}`;
  return (
    <div className="mt-2">
      <ConfirmForm
        title="Cancel this mail?"
        message={says}
        fields={{ intent: "cancel", id, return_to: here }}
        confirmLabel="Cancel this mail"
        cancelTo={here}
        cancelLabel="Keep it"
        action="/stored"
      />
    </div>
  );
}
