/**
 * A note behind an info sign, which opens by click, touch and keyboard, also without JavaScript. The note lies over what
 * follows and is as wide as the nearest positioned ancestor. `about` completes "Note on ..." for screen readers.
 */
export function InfoNote({ about, children }: { about: string; children: string }) {
  return (
    <details>
      <summary className="list-none text-dim [&::-webkit-details-marker]:hidden">
        <span aria-hidden>ⓘ</span>
        <span className="sr-only">Note on {about}</span>
      </summary>
      <p className="absolute inset-x-0 z-10 mt-1 rounded-[6px] border border-edge bg-paper px-3 py-2 text-[12px] shadow-sm">
        {children}
      </p>
    </details>
  );
}
