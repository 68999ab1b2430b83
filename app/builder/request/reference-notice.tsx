import { Link } from "@remix-run/react";
import type { Reference } from "~/catalogue/types";
import { Badge } from "~/ui/badge";
import type { PresetView } from "../view";

const BADGES: Record<Reference["status"], { tone: "ok" | "warn" | "neutral"; label: string }> = {
  documented: { tone: "ok", label: "documented" },
  renamed: { tone: "warn", label: "documented under another path" },
  unlisted: { tone: "neutral", label: "not in the public reference" },
};

/** What the preset does, and what the provider's public reference says of it. */
export function ReferenceNotice({ preset }: { preset: PresetView }) {
  const { reference } = preset;
  const badge = BADGES[reference.status];
  const documented = "documented" in reference ? reference.documented : undefined;
  return (
    <div className="grid gap-1.5 border-line border-b px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-[15px]">{preset.label}</h1>
        <Badge tone={badge.tone}>{badge.label}</Badge>
        {documented ? (
          <Link
            className="link"
            preventScrollReset
            to={preset.documented ? `/?preset=${preset.id}` : `/?preset=${preset.id}&call=documented`}
          >
            {preset.documented
              ? "Use the console's path"
              : `Use the documented ${documented.path === preset.path ? "parameters" : "call"}: ${documented.path}`}
          </Link>
        ) : null}
        {preset.docsUrl ? (
          <a className="link" href={preset.docsUrl} target="_blank" rel="noreferrer">
            Reference
          </a>
        ) : null}
      </div>
      <p className="text-dim">
        {preset.description}
        {reference.note ? ` ${reference.note}` : ""}
      </p>
    </div>
  );
}
