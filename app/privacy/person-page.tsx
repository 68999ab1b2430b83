import type { ReactNode } from "react";
import { dropDraftsTo } from "~/builder/draft/draft-store";
import { formatInteger } from "~/platform/format-integer";
import type { Failure } from "~/platform/outcome";
import { Absent } from "~/ui/fact";
import { TextLink } from "~/ui/links";
import { Cell, MomentCell, Row, Table } from "~/ui/list/table";
import { May, useMay } from "~/ui/may";
import { Moment } from "~/ui/moment";
import { Notice } from "~/ui/notice";
import type { ErasedView, MatchView, PersonView } from "./person-page.server";

const KINDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  recipients: ["recipient", "recipients"],
  pieces: ["piece", "pieces"],
  tests: ["test", "tests"],
  testedPieces: ["test PDF", "test PDFs"],
  responses: ["stored response", "stored responses"],
  drafts: ["draft", "drafts"],
  listRows: ["list row", "list rows"],
};

const PROVIDER_KEEPS = "The provider keeps its own copy: delete the recipient there too.";
const LINKS = {
  exact: "linked",
  name: "same name",
  email: "same e-mail, another name",
  address: "same address, another name",
} as const;

/**
 * Shows the stored data of a person, with its download and the form that erases it, also without JavaScript.
 * @param ticked records that were ticked in a refused form
 */
export function PersonPage({
  view,
  failure,
  ticked,
}: {
  view: PersonView;
  failure: Failure | null;
  ticked: string[];
}) {
  const may = useMay();
  const { id, name, email, recipientId, addresses, counts, linked, proposed, unlisted } = view;
  const { linked: unlistedLinked, proposed: unlistedSimilar } = unlisted;
  return (
    <Page title={`Personal data of ${name}`}>
      <p className="text-dim">
        {[...addresses, email ?? "No e-mail", recipientId && `Recipient ${recipientId}`]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {failure ? <Notice tone="bad">{failure.message}</Notice> : null}
      <form
        method="post"
        aria-label="Personal data"
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
        onSubmit={(event) => {
          const { submitter } = event.nativeEvent as SubmitEvent;
          if (submitter?.getAttribute("value") === "erase") dropDraftsTo(name, recipientId);
        }}
      >
        <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h2 className="font-semibold">Linked to this recipient: {formatCounts(counts)}</h2>
          <MatchTable label="Linked records" matches={linked} />
          {unlistedLinked > 0 ? (
            <p>{formatInteger(unlistedLinked)} more are not listed. They are also downloaded and erased.</p>
          ) : null}
        </section>
        {proposed.length === 0 ? null : (
          <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
            <h2 className="font-semibold">Similar records</h2>
            <p className="max-w-prose">
              These may be about another person. Tick the records that belong to {name}; the others stay.
              {unlistedSimilar > 0
                ? ` ${formatInteger(unlistedSimilar)} more are not listed, and stay: search for the name to open them.`
                : null}
            </p>
            <MatchTable label="Similar records" matches={proposed} ticked={ticked} />
          </section>
        )}
        {may("send:live") ? (
          <p>
            <button
              type="submit"
              formMethod="get"
              formAction={`/recipients/${id}/data.json`}
              formNoValidate
              className="button"
            >
              Download as JSON
            </button>
          </p>
        ) : null}
        {may("admin") ? (
          <div className="grid max-w-prose gap-3 border-live border-l-3 bg-live-wash p-3">
            <p>
              Removes name, address and content of all records above that are linked or ticked, of all users.
              Charges stay. Cannot be undone. {recipientId === null ? null : PROVIDER_KEEPS}
            </p>
            <label className="flex items-center gap-2">
              <input type="checkbox" name="confirmed" value="yes" required /> Erase all of it
            </label>
            <p>
              <button type="submit" name="intent" value="erase" className="button button-live">
                Erase personal data
              </button>
            </p>
          </div>
        ) : null}
      </form>
    </Page>
  );
}

export function ErasedPage({ view }: { view: ErasedView }) {
  return (
    <Page title="Personal data erased">
      <p>
        {view.by} erased this recipient <Moment at={view.at} absolute />.{" "}
        <May scope="admin">
          <TextLink to="/audit?what=person">All erasures</TextLink>
        </May>
      </p>
      <dl className="grid max-w-prose gap-2">
        <dt className="font-semibold">Erased</dt>
        <dd>{formatCounts(view.erased)}</dd>
        <dt className="font-semibold">Similar records that were not ticked and stay</dt>
        <dd>{formatCounts(view.unconfirmed)}</dd>
        <dt className="font-semibold">Also left</dt>
        <dd>
          Credits and the ledger. {view.atProvider ? PROVIDER_KEEPS : null} Older backups still have the data;
          a restore erases it again. Drafts that other people have not sent stay in their browsers for up to
          30 days.
        </dd>
      </dl>
    </Page>
  );
}

function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="page">
      <header className="grid gap-1">
        <p className="text-dim">
          <TextLink to="/mail?type=recipient">Mail Management</TextLink> / personal data
        </p>
        <h1 className="text-title break-words">{title}</h1>
      </header>
      {children}
    </div>
  );
}

function MatchTable({ label, matches, ticked }: { label: string; matches: MatchView[]; ticked?: string[] }) {
  return (
    <Table label={label} head={["Record", "Name", "Address", "User", "Date (UTC)"]}>
      {matches.map((match) => (
        <Row key={match.id}>
          <Cell>
            {ticked ? (
              <label className="flex items-center gap-2">
                <input
                  type="checkbox"
                  name="match"
                  value={match.id}
                  defaultChecked={ticked.includes(match.id)}
                />
                <Kind match={match} /> ({LINKS[match.link]})
              </label>
            ) : (
              <Kind match={match} />
            )}
          </Cell>
          <Cell wraps="name">{match.name ?? <Absent why="none" />}</Cell>
          <Cell wraps="name">{match.address ?? <Absent why="none" />}</Cell>
          <Cell>{match.owner}</Cell>
          <MomentCell at={match.at} />
        </Row>
      ))}
    </Table>
  );
}

function Kind({ match: { kind, page } }: { match: MatchView }) {
  const [name = kind] = KINDS[kind] ?? [];
  if (page === null) return name;
  return (
    <a href={page} className="link">
      {name}
    </a>
  );
}

/** Formats "2 pieces, 1 list row", or "nothing". */
function formatCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).flatMap(([kind, count]) => {
    const [one, many] = KINDS[kind] ?? [kind, kind];
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  return parts.join(", ") || "nothing";
}
