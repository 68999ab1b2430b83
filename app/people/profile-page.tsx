import type { ReactNode } from "react";
import type { Flash } from "~/platform/http/flash.server";
import type { TokenDraft } from "~/tokens/token-view";
import { TokensSection } from "~/tokens/tokens-section";
import { Notice } from "~/ui/notice";
import type { ProfileView } from "./profile.server";
import { ProfileCard } from "./profile-card";

/** The viewer: what the identity provider told, what they may do, and their tokens. */
export function ProfilePage({
  profile,
  spent,
  flash,
  created,
  draft,
  children,
}: {
  profile: ProfileView;
  /** What they have spent today; null while that is not known. */
  spent: string | null;
  flash: Flash | null;
  created: { name: string; text: string } | null;
  draft: TokenDraft | null;
  children: ReactNode;
}) {
  return (
    <div className="mx-auto grid w-full max-w-[1180px] grid-cols-[minmax(0,1fr)] gap-6 px-4 py-6">
      {flash ? (
        <Notice tone={flash.tone} urgent>
          {flash.message}
        </Notice>
      ) : null}
      <ProfileCard profile={profile} limits={[spent, profile.role].filter((line) => line !== null)} />
      {profile.tokens ? (
        <TokensSection view={profile.tokens} created={created} draft={draft} />
      ) : (
        <section aria-labelledby="tokens">
          <h2 id="tokens">Access tokens</h2>
          <p className="text-dim">{profile.problem}</p>
        </section>
      )}
      {children}
    </div>
  );
}
