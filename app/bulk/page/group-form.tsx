import { Form, Link, useNavigation } from "@remix-run/react";
import type { Outcome } from "~/platform/outcome";
import { Notice } from "~/ui/notice";
import { formatGroup, GROUPS_ABOUT, LOAD_GROUPS, NO_GROUPS } from "../import/messages";

/** Groups of the provider's account, or why there are none. */
export type Groups = Outcome<{ id: string; name: string; recipients: number }[]>;

/** Imports a group of the provider's account. The provider is only asked for its groups when a person wants one. */
export function GroupForm({ groups }: { groups: Groups | null }) {
  const busy = useNavigation().formData?.get("intent") === "import_group";
  if (groups === null) {
    return (
      <p>
        <Link to="?groups=1" preventScrollReset className="link">
          {LOAD_GROUPS}
        </Link>
      </p>
    );
  }
  if (!groups.ok) return <Notice tone="warn">{groups.failure.message}</Notice>;
  if (groups.value.length === 0) return <p className="text-dim">{NO_GROUPS}</p>;
  return (
    <Form method="post" className="grid max-w-[760px] gap-2" aria-label="Import a group">
      <label htmlFor="bulk-group">Group of the provider's account</label>
      <div className="flex flex-wrap gap-2">
        <select
          id="bulk-group"
          name="group"
          className="control min-w-0 flex-1"
          aria-describedby="bulk-group-about"
        >
          {groups.value.map(({ id, name, recipients }) => (
            <option key={id} value={id}>
              {formatGroup(name, recipients)}
            </option>
          ))}
        </select>
        <button type="submit" name="intent" value="import_group" className="button" disabled={busy}>
          {busy ? "Importing..." : "Import group"}
        </button>
      </div>
      <p id="bulk-group-about" className="text-small text-dim">
        {GROUPS_ABOUT}
      </p>
    </Form>
  );
}
