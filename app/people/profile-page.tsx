import type { ReactNode } from "react";
import type { Flash } from "~/platform/http/flash.server";
import type { TokenDraft } from "~/tokens/token-view";
import { TokensSection } from "~/tokens/tokens-section";
import { FlashNotice } from "~/ui/flash-notice";
import { TextLink } from "~/ui/links";
import { PeopleSection } from "./people-section";
import type { ProfileView } from "./profile.server";

/** The viewer's identity, rights and tokens. */
export function ProfilePage({
  profile,
  spent,
  approval,
  flash,
  created,
  draft,
  children,
}: {
  profile: ProfileView;
  /** Credits spent today, as a sentence; null: not known. */
  spent: string | null;
  /** The rule for approvals, as a sentence. */
  approval: string;
  flash: Flash | null;
  created: { name: string; text: string } | null;
  draft: TokenDraft | null;
  children: ReactNode;
}) {
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
          Tell another server when a piece, a list or a balance changes.{" "}
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
