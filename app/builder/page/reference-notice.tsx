import { Link } from "@remix-run/react";
import type { Reference } from "~/catalogue/types";
import { Badge } from "~/ui/badge";
import { InfoNote } from "~/ui/info-note";
import type { PresetView } from "./builder-view";

const OTHER_PARAMETERS = { tone: "neutral", label: "Our field names differ from the docs" } as const;
const BADGES: Record<Reference["status"], { tone: "ok" | "warn" | "neutral"; label: string }> = {
  documented: { tone: "ok", label: "In provider docs" },
  renamed: { tone: "warn", label: "Docs use another path" },
  unlisted: { tone: "neutral", label: "Not in provider docs" },
};

/**
 * Describes the preset and says if the provider documents it. `brief` moves the description behind the info sign, so
 * that more of the form is in view.
 */
export function ReferenceNotice({ preset, brief }: { preset: PresetView; brief: boolean }) {
  const { reference, description } = preset;
  const note = brief ? [description, reference.note].filter(Boolean).join(" ") : reference.note;
  const documented = "documented" in reference ? reference.documented : undefined;
  const badge = reference.status === "documented" && documented ? OTHER_PARAMETERS : BADGES[reference.status];
  return (
    <div className="relative grid gap-1.5 border-line border-b px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pr-6">
        <h1 className="text-lead">{preset.label}</h1>
        <Badge tone={badge.tone}>
          {preset.docsUrl ? (
            <a className="link" href={preset.docsUrl} target="_blank" rel="noreferrer">
              {badge.label}
            </a>
          ) : (
            badge.label
          )}
        </Badge>
        {documented ? (
          <Link
            className="link"
            preventScrollReset
            to={preset.documented ? `/?preset=${preset.id}` : `/?preset=${preset.id}&call=documented`}
          >
            {preset.documented ? "Use this console's version" : "Send what the docs say"}
          </Link>
        ) : null}
      </div>
      {brief ? null : <p className="text-dim">{description}</p>}
      {note ? (
        <InfoNote about={brief ? preset.label : "the provider's docs"} corner="top-2 right-4">
          {note}
        </InfoNote>
      ) : null}
    </div>
  );
}
