import type { ReactNode } from "react";
import type { Flash } from "~/platform/http/flash.server";
import type { TokenDraft } from "~/tokens/token-view";
import { TokensSection } from "~/tokens/tokens-section";
import { TextLink } from "~/ui/links";
import { Cell, MomentCell, Row, Table } from "~/ui/list/table";
import { FlashNotice } from "~/ui/notice";
import { ConfirmForm } from "~/ui/submit";
import type { PersonRow, ProfileView } from "./profile.server";

interface ProfilePageProps {
  profile: ProfileView;
  /** Credits spent today, as a sentence; null: not known. */
  spent: string | null;
  /** The rule for approvals, as a sentence. */
  approval: string;
  flash: Flash | null;
  created: { name: string; text: string } | null;
  draft: TokenDraft | null;
  children: ReactNode;
}

export function ProfilePage({ profile, spent, approval, flash, created, draft, children }: ProfilePageProps) {
  return (
    <div className="mx-auto grid w-full max-w-[1180px] grid-cols-[minmax(0,1fr)] gap-6 px-4 py-6">
      <FlashNotice flash={flash} />
      <ProfileCard
        profile={profile}
        limits={[spent, approval, profile.role].filter((line) => line !== null)}
      />
      {profile.tokens ? (
        <TokensSection view={profile.tokens} created={created} draft={draft} />
      ) : (
        <section aria-labelledby="tokens">
          <h2 id="tokens">Access tokens</h2>
          <p className="text-dim">{profile.problem}</p>
        </section>
      )}
      <PeopleSection viewerId={profile.id} people={profile.people} ending={profile.ending} />
      <section aria-labelledby="webhooks-title">
        <h2 id="webhooks-title">Webhooks</h2>
        <p className="text-dim">
          Notify another server when a piece, a list or a balance changes.{" "}
          <TextLink to="/webhooks">Endpoints and deliveries</TextLink>
        </p>
      </section>
      {profile.isAdmin ? (
        <section aria-labelledby="audit-title">
          <h2 id="audit-title">Audit log</h2>
          <p className="text-dim">
            Who signed in, exported, changed or erased something, and what was refused.{" "}
            <TextLink to="/audit">Events</TextLink>
          </p>
        </section>
      ) : null}
      {children}
    </div>
  );
}

function ProfileCard({ profile, limits }: { profile: ProfileView; limits: string[] }) {
  const { displayName, email, picture, subject } = profile;
  return (
    <article aria-labelledby="profile-name">
      <header className="flex items-center gap-4">
        {picture === null ? null : (
          <img
            src={picture}
            alt={`Portrait of ${displayName}`}
            referrerPolicy="no-referrer"
            width={64}
            height={64}
            className="size-16 rounded-full object-cover"
          />
        )}
        <h1 id="profile-name" className="text-title">
          {displayName}
        </h1>
      </header>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 border-line border-y py-2 [&>*]:py-1.5 [&>dd]:[overflow-wrap:anywhere] [&>dt]:text-dim">
        <dt>Name</dt>
        <dd>{displayName}</dd>
        <dt>E-mail</dt>
        <dd>{email ?? "Not given by the identity provider"}</dd>
        <dt>Subject</dt>
        <dd>
          <code className="wire">{subject}</code>
        </dd>
        <dt>Limits</dt>
        <dd>
          {limits.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </dd>
      </dl>
    </article>
  );
}

interface PeopleSectionProps {
  viewerId: string;
  /** Null: the viewer is no admin, or they cannot be loaded. */
  people: PersonRow[] | null;
  /** The person to confirm; null: none. */
  ending: { id: string; displayName: string } | null;
}

/** Ends the viewer's own sessions and tokens, and for admins those of any other person. */
function PeopleSection({ viewerId, people, ending }: PeopleSectionProps) {
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
                <MomentCell at={signedInAt} />
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
