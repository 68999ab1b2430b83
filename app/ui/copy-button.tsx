import { useEffect, useState } from "react";

const COPIED_MS = 1_500;

/**
 * Copies a text and says so for 1.5 s (spec §9). Shown only where JavaScript runs. In a line of a table it is
 * `inline`, and `about` says to a screen reader what is copied.
 */
export function CopyButton({
  text,
  label = "Copy",
  inline,
  about,
}: {
  text: string;
  label?: string;
  inline?: boolean;
  about?: string;
}) {
  const [said, setSaid] = useState<"Copied" | "Copy failed" | null>(null);
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(null), COPIED_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("Copy failed");
    }
  };
  return (
    <button
      type="button"
      className={`needs-script ${inline ? "link cursor-pointer text-dim" : "button"}`}
      onClick={copy}
      aria-live="polite"
    >
      {said ?? label}
      {about ? <span className="sr-only"> {about}</span> : null}
    </button>
  );
}
