interface Profile {
  displayName: string;
  email: string | null;
  /** An https, loopback or `data:image` address; anything else was dropped at sign-in. */
  picture: string | null;
  subject: string;
}

/** What the identity provider told about the viewer. */
export function ProfileCard({ profile }: { profile: Profile }) {
  const { displayName, email, picture, subject } = profile;
  return (
    <article aria-labelledby="profile-name" className="mx-auto w-full max-w-[1180px] px-4 py-8">
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
      <dl className="mt-6 grid max-w-xl grid-cols-[auto_1fr] gap-x-6 border-line border-y py-2 [&>*]:py-1.5 [&>dd]:[overflow-wrap:anywhere] [&>dt]:text-dim">
        <dt>Name</dt>
        <dd>{displayName}</dd>
        <dt>E-mail</dt>
        <dd>{email ?? "Not given by the identity provider"}</dd>
        <dt>Subject</dt>
        <dd>
          <code className="wire">{subject}</code>
        </dd>
      </dl>
    </article>
  );
}
