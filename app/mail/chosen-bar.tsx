import { Form, useLocation, useNavigation } from "@remix-run/react";
import type { MouseEvent } from "react";
import { May, useMay } from "~/ui/may";
import { useHydrated } from "~/ui/use-hydrated";
import { addressWithQuestion } from "./mail-view";
import { CHOSEN_FORM } from "./piece-row";

/** Shows the actions on the chosen pieces: one form, to which their check boxes belong. */
export function ChosenBar({ count }: { count: number }) {
  const { search } = useLocation();
  const hydrated = useHydrated();
  const may = useMay();
  const busy = useNavigation().state !== "idle";
  const action = addressWithQuestion(search);
  const kept = [...new URLSearchParams(action.split("?")[1] ?? "")];
  const none = hydrated && count === 0;
  return (
    <Form
      id={CHOSEN_FORM}
      method="post"
      action={action}
      preventScrollReset
      aria-label="Chosen pieces"
      className="flex min-h-[30px] flex-wrap items-center gap-2"
    >
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <span className="min-w-20 text-dim tabular-nums" aria-live="polite">
        {none
          ? may("send:live")
            ? "Choose pieces to refresh, cancel or export them."
            : "Choose pieces to refresh them."
          : hydrated
            ? `${count} chosen:`
            : "Chosen:"}
      </span>
      {none ? null : (
        <>
          <button
            type="submit"
            name="intent"
            value="refresh"
            className="button"
            disabled={busy}
            title="Asks the provider for the status of the chosen pieces only."
          >
            Refresh
          </button>
          <May scope="send:live">
            <button
              type="submit"
              name="ask"
              value="cancel"
              formMethod="get"
              formAction="/mail"
              className="button"
              disabled={busy}
            >
              Cancel
            </button>
            <button
              type="submit"
              formMethod="get"
              formAction="/mail/items.csv"
              className="button"
              onClick={download}
            >
              Export
            </button>
          </May>
        </>
      )}
    </Form>
  );
}

/** Downloads the file instead of navigating to it. */
function download(event: MouseEvent<HTMLButtonElement>) {
  const { form } = event.currentTarget;
  if (!form) return;
  event.preventDefault();
  const fields = [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]);
  window.location.assign(`/mail/items.csv?${new URLSearchParams(fields)}`);
}
