/**
 * A note that an info sign in the top right corner of the nearest positioned ancestor opens. Works without JavaScript.
 */
export function InfoNote({
  subject,
  corner = "top-0 right-0",
  children,
}: {
  /** Completes "Note on ..." for screen readers. */
  subject: string;
  /** Classes that place the sign inside a padded ancestor. */
  corner?: string;
  children: string;
}) {
  return (
    <details>
      <summary
        className={`absolute grid size-6 place-items-center text-dim hover:text-ink [&::-webkit-details-marker]:hidden ${corner}`}
      >
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" fill="none" stroke="currentColor">
          <circle cx="7" cy="7" r="6" />
          <path d="M7 6.2v4M7 3.6v1.2" strokeWidth="1.4" />
        </svg>
        <span className="sr-only">Note on {subject}</span>
      </summary>
      <p className="mt-1 border-edge border-l-2 pl-2 text-small">{children}</p>
    </details>
  );
}
