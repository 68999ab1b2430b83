import { useEffect, useRef } from "react";
import type { PostedForm } from "../credits-view";

/** Moves the focus to the first field with an error of a refused form. `readField` has what was posted, and its error. */
export function useRefusedForm(id: string, posted: PostedForm | null) {
  const form = useRef<HTMLFormElement>(null);
  const seen = useRef(posted);
  useEffect(() => {
    if (seen.current !== posted) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    seen.current = posted;
  }, [posted]);
  const readField = (name: string, label: string) => {
    const problem = posted?.problems[name];
    const error = problem ? `${label} ${problem}.` : null;
    return { id: `${id}-${name}`, name, label, defaultValue: posted?.values[name], error };
  };
  return { form, readField };
}
