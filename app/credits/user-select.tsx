import { formatUserName } from "~/people/user-option";
import type { UserChoice } from "./credit-user";
import { formatCredits } from "./format-credits";

/** Chooses a user. `empty` is the label of the empty choice; without it a user is always chosen. */
export function UserSelect({
  id,
  users,
  chosen,
  empty,
  invalid,
}: {
  id: string;
  users: readonly UserChoice[];
  chosen: string;
  empty?: string;
  invalid?: boolean;
}) {
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
