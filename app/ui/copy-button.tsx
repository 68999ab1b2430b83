import { useEffect, useState } from "react";

const COPIED_MS = 1_500;

interface CopyButtonProps {
  /** A function creates a long text only when it is copied. */
  text: string | (() => string);
  label?: string;
  inline?: boolean;
  menu?: boolean;
  subject?: string;
}

/** Copies a text and shows "Copied" for 1.5 s. Only visible with JavaScript. `subject` names the text for screen readers. */
export function CopyButton({ text, label = "Copy", inline, menu, subject }: CopyButtonProps) {
  const [result, setResult] = useState<"Copied" | "Copy failed" | null>(null);
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(null), COPIED_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setResult("Copied");
    } catch {
      setResult("Copy failed");
    }
  };
  return (
    <button
      type="button"
      className={`needs-script ${inline ? "link cursor-pointer text-dim" : menu ? "menu-entry" : "button"}`}
      onClick={copy}
      aria-live="polite"
    >
      {result ?? label}
      {subject ? <span className="sr-only"> {subject}</span> : null}
    </button>
  );
}
