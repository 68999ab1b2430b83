import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

interface SubmitProps {
  intent: string;
  /** Name of the posted field. */
  name?: string;
  /** Replaces the text while this button's form is posted. */
  working?: string;
  /** Classes in addition to those of a button. */
  className?: string;
  disabled?: boolean;
  children: ReactNode;
}

/** A button that posts its form with an intent. It is disabled while a form is posted. */
export function Submit({
  intent,
  name = "intent",
  working,
  className = "",
  disabled,
  children,
}: SubmitProps) {
  const { formMethod, formData } = useNavigation();
  return (
    <button
      type="submit"
      name={name}
      value={intent}
      className={`button ${className}`}
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
