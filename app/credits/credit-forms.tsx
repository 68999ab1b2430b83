import { useEffect, useRef } from "react";
import { formatUserName } from "~/people/user-option";
import type { UserChoice } from "./credit-users.server";
import type { CreditsView } from "./credits-view.server";
import { formatCredits } from "./format-credits";

/** A refused form with its values. */
export interface PostedForm {
  form: "new_user" | "adjust" | "purchase";
  values: Record<string, string>;
  /** Why it was refused; null when only its fields have problems. */
  problem: string | null;
  /** Problems of fields; each continues the label. */
  problems: Record<string, string>;
  /** The idempotency key to post again; null for a form without one. */
  formKey: string | null;
}

/** Builds the view that shows a refused form again when the rest of it could not be loaded. */
export function buildEmptyFormView({ form, formKey }: PostedForm): CreditsView["content"] {
  const noUsers = { users: [], userId: "" };
  if (form === "adjust") {
    return { name: "manage", mayAdjust: true, ...noUsers, formKey: formKey ?? "", recent: null };
  }
  if (form === "purchase") return { name: "purchase", ...noUsers, configured: true, draft: "", list: null };
  return null;
}

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

interface UserSelectProps {
  id: string;
  users: readonly UserChoice[];
  chosen: string;
  empty?: string;
  invalid?: boolean;
}

/** Chooses a user. `empty` is the label of the empty choice; without it a user is always chosen. */
export function UserSelect({ id, users, chosen, empty, invalid }: UserSelectProps) {
  return (
    <select
      id={id}
      name="user_id"
      defaultValue={chosen}
      className="control"
      aria-invalid={invalid ? true : undefined}
    >
      {empty ? <option value="">{empty}</option> : null}
      {chosen !== "" && !users.some(({ id }) => id === chosen) ? (
        <option value={chosen}>{chosen}</option>
      ) : null}
      {users.map((user) => (
        <option key={user.id} value={user.id}>
          {formatUserName(user)}, {user.username}, {formatCredits(user.balance)}
        </option>
      ))}
    </select>
  );
}
