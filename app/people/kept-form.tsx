/** A form that was posted without a session. */
export interface KeptForm {
  action: string;
  /** Names and values in their order. */
  fields: readonly (readonly [string, string])[];
}

/** Keeps what was typed until the person has logged in again, in another tab. Works without JavaScript. */
export function TryAgain({ form: { action, fields } }: { form: KeptForm }) {
  return (
    <form method="post" action={action} className="flex flex-wrap gap-2">
      {fields.map(([name, value], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields never change
        <input key={at} type="hidden" name={name} value={value} />
      ))}
      <a
        href={`/api/auth/login?${new URLSearchParams({ returnTo: action })}`}
        target="_blank"
        rel="noreferrer"
        className="button button-primary"
      >
        Log in (new tab)
      </a>
      <button type="submit" className="button">
        Try Again
      </button>
    </form>
  );
}
