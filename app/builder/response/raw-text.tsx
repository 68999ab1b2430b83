import { useState } from "react";

/** Longer texts make the page slow, so the rest is shown on demand. */
const SHOWN_CHARS = 200_000;

/** A text, unformatted. */
export function RawText({ text }: { text: string }) {
  const [shown, setShown] = useState(SHOWN_CHARS);
  return (
    <div className="p-4">
      <pre className="wire whitespace-pre-wrap [overflow-wrap:anywhere]">{text.slice(0, shown)}</pre>
      {text.length > shown ? (
        <p className="mt-2 flex flex-wrap items-center gap-3 text-dim">
          {shown.toLocaleString("en")} of {text.length.toLocaleString("en")} characters shown.
          <button type="button" className="button needs-script" onClick={() => setShown(shown + SHOWN_CHARS)}>
            Show more
          </button>
        </p>
      ) : null}
    </div>
  );
}
