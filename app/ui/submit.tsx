import { Form, Link, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

interface SubmitProps {
  intent: string;
  /** Name of the posted field. */
  name?: string;
  /** Replaces the text while this button's form is posted. */
  working?: string;
  /** Classes in addition to those of a button. */
  className?: string;
  title?: string;
  disabled?: boolean;
  children: ReactNode;
}

/** A button that posts its form with an intent. It is disabled while a form is posted. */
export function Submit(props: SubmitProps) {
  const { intent, name = "intent", working, className = "", title, disabled, children } = props;
  const { formMethod, formData } = useNavigation();
  return (
    <button
      type="submit"
      name={name}
      value={intent}
      className={`button ${className}`}
      title={title}
      disabled={disabled || formMethod === "POST"}
    >
      {working && formData?.get(name) === intent ? working : children}
    </button>
  );
}

/** A {@link Submit} with a form of its own. */
export function Act(props: SubmitProps) {
  return (
    <Form method="post" preventScrollReset>
      <Submit {...props} />
    </Form>
  );
}

interface ConfirmFormProps {
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
}

/**
 * Asks for confirmation of an action that cannot be undone. In a cell that spans a table row it does not widen the columns and
 * stays visible when the table scrolls sideways.
 */
export function ConfirmForm(props: ConfirmFormProps) {
  const { title, message, fields, confirmLabel, cancelTo, cancelLabel, action = cancelTo } = props;
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
