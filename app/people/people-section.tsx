import { ConfirmForm } from "~/ui/confirm-form";
import { TextLink } from "~/ui/links";
import { Cell, Row, Table } from "~/ui/list/table";
import { Moment } from "~/ui/moment";
import type { PersonRow } from "./sign-ins.server";

/** Ends the viewer's own sessions and tokens, and for admins those of any other person. */
export function PeopleSection({
  viewerId,
  people,
  ending,
}: {
  viewerId: string;
  /** Null: the viewer is no admin, or they cannot be loaded. */
  people: PersonRow[] | null;
  /** The person to confirm; null: none. */
  ending: { id: string; displayName: string } | null;
}) {
  return (
    <section aria-labelledby="sessions" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <header>
        <h2 id="sessions">Sessions</h2>
        <p className="max-w-prose text-dim">
          A session ends after 8 hours without use, and after 24 hours in any case.{" "}
          <TextLink to={endAddress(viewerId)} preventScrollReset>
            Sign out everywhere
          </TextLink>
        </p>
      </header>
      {ending ? (
        <ConfirmForm
          title={ending.id === viewerId ? "Sign out everywhere?" : `End ${ending.displayName}?`}
          message="All sessions and tokens end now. Programs that use the tokens are refused. This cannot be undone."
          fields={{ intent: "end_person", user_id: ending.id }}
          confirmLabel={ending.id === viewerId ? "Sign out everywhere" : "End sessions and tokens"}
          cancelTo="/profile"
          cancelLabel="Keep them"
          action="/profile"
        />
      ) : null}
      {people && people.length > 0 ? (
        <details open={ending !== null && ending.id !== viewerId ? true : undefined}>
          <summary className="text-dim">People who signed in</summary>
          <Table label="People who signed in" narrow head={["Person", "Last sign-in", { unseen: "Action" }]}>
            {people.map(({ id, displayName, email, signedInAt }) => (
              <Row key={id}>
                <Cell wraps="name">
                  {displayName}
                  <span className="block text-dim text-small [overflow-wrap:anywhere]">{email ?? id}</span>
                </Cell>
                <Cell>
                  <Moment at={signedInAt} />
                </Cell>
                <Cell>
                  <TextLink to={endAddress(id)} preventScrollReset>
                    End sessions and tokens<span className="sr-only"> of {displayName}</span>
                  </TextLink>
                </Cell>
              </Row>
            ))}
          </Table>
        </details>
      ) : null}
    </section>
  );
}

function endAddress(id: string): string {
  return `/profile?${new URLSearchParams({ end: id })}`;
}
