import type { Reference } from "~/catalogue/types";
import { formatUserOption } from "~/people/user-option";
import { Badge } from "~/ui/badge";
import { FilterChoice, InfoNote } from "~/ui/field";
import { TextLink } from "~/ui/links";
import type { ShownView } from "./builder-view";
import type { Choices } from "./use-request";

/** Base URL, the ".json" switch that it forces, and the current user: one quiet line while they are the usual ones. */
export function RequestSettings({
  view,
  choices: { base, userId, chooseBase, chooseUser },
}: {
  view: ShownView;
  choices: Choices;
}) {
  const user = view.users.find(({ id }) => id === userId);
  const usual =
    base.label === view.baseUrls[0]?.label && (user?.isAuthenticatedUser || view.users.length === 0);
  return (
    <details open={usual ? undefined : true} className="border-line border-b">
      <summary className="cursor-pointer px-4 pb-2 text-[12px] text-dim hover:text-ink">
        {formatSettings(base, user?.display_name ?? null)}
      </summary>
      <div className="grid items-end gap-x-4 gap-y-2 px-4 pb-3 sm:grid-cols-2 2xl:grid-cols-[1fr_1fr_auto]">
        <FilterChoice
          label="Base URL"
          name="base"
          value={base.label}
          options={view.baseUrls.map(({ label, url }) => [label, `${label}: ${url}`])}
          onChange={(event) => chooseBase(event.target.value)}
        />
        <FilterChoice
          label="Current user"
          name="user_id"
          value={userId}
          disabled={view.users.length === 0}
          all={view.users.length === 0 ? "No users" : undefined}
          options={view.users.map((user) => [user.id, formatUserOption(user)])}
          onChange={(event) => chooseUser(event.target.value)}
        />
        <label
          className="flex min-h-[30px] items-center gap-2"
          title={`Always ${base.appendJson ? "on" : "off"} for the ${base.label} base URL`}
        >
          <input type="checkbox" checked={base.appendJson} disabled readOnly className="size-4" />
          <span>
            Append .json to path{" "}
            <span className="text-dim">
              ({base.appendJson ? "on" : "off"} for {base.label})
            </span>
          </span>
        </label>
      </div>
    </details>
  );
}

/** "Base URL: US, acting as Ana Ruiz" */
function formatSettings(base: { label: string; appendJson: boolean }, user: string | null): string {
  const settings = `Base URL: ${base.label}${base.appendJson ? ", .json appended" : ""}`;
  return user === null ? settings : `${settings}, acting as ${user}`;
}

const FEATURES = [
  "per-endpoint form fields",
  "file upload with base64 conversion for PDF and JPG",
  "required/optional validation",
  "automatic request building",
  "server-side authentication",
  "response storage",
];

/** The API Security card: state of the server key and features of the Builder. */
export function SecurityCard({ hasServerKey }: { hasServerKey: boolean }) {
  return (
    <details className="border-line border-t px-4 py-3">
      <summary>
        <h2 className="mr-2 inline">API Security</h2>
        <Badge tone={hasServerKey ? "ok" : "warn"}>
          {hasServerKey ? "Server key detected (secure)" : "No server key configured"}
        </Badge>
      </summary>
      <p className="mt-1 text-dim">
        {hasServerKey
          ? "The server adds the provider's key. It never reaches your browser."
          : "Set STANNP_API_KEY on the server to send requests."}
      </p>
      <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-dim">
        {FEATURES.map((feature) => (
          <li key={feature}>
            <span aria-hidden className="text-ok">
              ✓{" "}
            </span>
            {feature}
          </li>
        ))}
      </ul>
    </details>
  );
}

const OTHER_PARAMETERS = { tone: "neutral", label: "Our field names differ from the docs" } as const;
const BADGES: Record<Reference["status"], { tone: "ok" | "warn" | "neutral"; label: string }> = {
  documented: { tone: "ok", label: "In provider docs" },
  renamed: { tone: "warn", label: "Docs use another path" },
  unlisted: { tone: "neutral", label: "Not in provider docs" },
};

/** Describes the preset and says if the provider documents it. `brief` moves the description behind the info sign. */
export function ReferenceNotice({ preset, brief }: { preset: ShownView["preset"]; brief: boolean }) {
  const { reference, description } = preset;
  const { documented } = reference;
  const note = brief ? [description, reference.note].filter(Boolean).join(" ") : reference.note;

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
          <TextLink
            preventScrollReset
            to={preset.documented ? `/?preset=${preset.id}` : `/?preset=${preset.id}&call=documented`}
          >
            {preset.documented ? "Use this console's version" : "Send what the docs say"}
          </TextLink>
        ) : null}
      </div>
      {brief ? null : <p className="text-dim">{description}</p>}
      {note ? (
        <InfoNote subject={brief ? preset.label : "the provider's docs"} corner="top-2 right-4">
          {note}
        </InfoNote>
      ) : null}
    </div>
  );
}
