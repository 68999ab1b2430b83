import { Form, Link, useNavigation } from "@remix-run/react";

/**
 * Asks for confirmation of an action that cannot be undone. In a cell that spans a table row it does not widen the columns and
 * stays visible when the table scrolls sideways.
 */
export function ConfirmForm({
  title,
  message,
  fields,
  confirmLabel,
  cancelTo,
  cancelLabel,
  action = cancelTo,
}: {
  title: string;
  /** Consequence of the action. */
  message: string;
  /** Posted fields; a list for several values of one name. */
  fields: Record<string, string | string[]>;
  confirmLabel: string;
  /** Address of the page without this question, which gets the form. */
  cancelTo: string;
  cancelLabel: string;
  action?: string;
}) {
  const busy = useNavigation().formMethod === "POST";
  return (
    <Form
      method="post"
      action={action}
      preventScrollReset
      aria-label={title}
      className="sticky left-0 flex w-0 min-w-full flex-wrap items-center gap-x-4 gap-y-2 rounded-r-[6px] border-live border-l-3 bg-live-wash px-3 py-2 max-md:min-w-[calc(100vw-2rem)]"
    >
      {Object.entries(fields).flatMap(([name, values]) =>
        [values]
          .flat()
          .map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
      )}
      <p className="min-w-60 flex-1">
        <strong>{title}</strong> {message}
      </p>
      <button type="submit" className="button button-live" disabled={busy}>
        {busy ? "Working..." : confirmLabel}
      </button>
      <Link to={cancelTo} preventScrollReset className="link">
        {cancelLabel}
      </Link>
    </Form>
  );
}
