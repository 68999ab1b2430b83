import { ConfirmForm } from "~/ui/confirm-form";
import { Notice } from "~/ui/notice";
import type { Confirmation } from "./mail-view";

/** Asks once more before pieces are cancelled. @param back address of the page without the question */
export function CancelQuestion({
  confirmation: { ids, title, message, possible },
  userId,
  back,
}: {
  confirmation: Confirmation;
  userId: string;
  back: string;
}) {
  if (!possible) {
    return (
      <Notice tone="warn" title={title} urgent>
        {message}
      </Notice>
    );
  }
  return (
    <ConfirmForm
      title={title}
      message={message}
      fields={{ intent: "cancel", user_id: userId, item: ids }}
      confirmLabel="Cancel Mail"
      cancelTo={back}
      cancelLabel={ids.length > 1 ? "Keep them" : "Keep it"}
      action={back}
    />
  );
}
