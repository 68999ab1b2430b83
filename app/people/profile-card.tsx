interface Profile {
  displayName: string;
  email: string | null;
  /** An https, loopback or `data:image` address; anything else was dropped at sign-in. */
  picture: string | null;
  subject: string;
}

/** What the identity provider told about the viewer, and what limits them. */
export function ProfileCard({ profile, limits }: { profile: Profile; limits: string[] }) {
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
