import { useEffect, useState } from "react";

const COPIED_MS = 1_500;

/** Copies a text and says so for 1.5 s (spec §9). Shown only where JavaScript runs. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
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
    <button type="button" className="button needs-script" onClick={copy} aria-live="polite">
      {said ?? label}
    </button>
  );
}
