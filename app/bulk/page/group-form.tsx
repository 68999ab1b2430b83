import { Form, Link, useNavigation } from "@remix-run/react";
import type { Outcome } from "~/platform/outcome";
import { Notice } from "~/ui/notice";
import { formatNumber } from "../format-rows";

/** Groups of the provider's account, or why there are none. */
export type Groups = Outcome<{ id: string; name: string; recipients: number }[]>;

/** Imports a group of the provider's account. The provider is only asked for its groups when a person wants one. */
export function GroupForm({ groups }: { groups: Groups | null }) {
  const busy = useNavigation().formData?.get("intent") === "import_group";
  if (groups === null) {
    return (
      <p>
        <Link to="?groups=1" preventScrollReset className="link">
          Or choose a group of the provider's account
        </Link>
      </p>
    );
  }
  if (!groups.ok) return <Notice tone="warn">{groups.failure.message}</Notice>;
  if (groups.value.length === 0) return <p className="text-dim">The provider's account has no groups.</p>;
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
        The recipients of a group as the provider has them now. What you correct here stays in this list.
      </p>
    </Form>
  );
}

function formatGroup(name: string, recipients: number): string {
  return `${name} (${formatNumber(recipients)})`;
}
