import { Link, useSearchParams } from "@remix-run/react";
import { FileText, Mail, SquareTerminal } from "lucide-react";
import { useEffect } from "react";
import { CUSTOM } from "~/catalogue/custom";
import { formatCredits } from "~/credits/format-credits";
import { Badge } from "~/ui/badge";
import { Moment } from "~/ui/moment";
import { useRemembered } from "~/ui/use-remembered";
import { LAST_USED, START_TITLE } from "../draft/messages";
import { useCurrentAccount } from "../send/use-current-account";
import type { BuilderView, PresetEntry } from "./builder-view";
import type { RecentPiece, StartView } from "./load-start.server";

const NO_PIECES = "Nothing was mailed yet. Live mail of the current user appears here with its state.";

const START_CUSTOM = {
  name: "New request",
  about: "Type any path, or paste an address or a curl command.",
};

const START_LETTER = {
  name: "Write a letter",
  about: "Type it or attach a PDF, test it, then mail it.",
};

const START_POSTCARD = {
  name: "Send a postcard",
  about: "Design it, test it, then mail what you tested.",
};

const WAYS = [
  { to: "/?preset=postcards.create", icon: Mail, ...START_POSTCARD },
  { to: "/?preset=letters.create", icon: FileText, ...START_LETTER },
  { to: `/?preset=${CUSTOM.id}`, icon: SquareTerminal, ...START_CUSTOM },
];

/** Before anything was sent: ways to begin, what needs a person, this month, and the latest pieces. */
export function StartPanel({
  start,
  last,
}: {
  /** Null while the database cannot be read: the ways to begin are there all the same. */
  start: StartView | null;
  /** The preset that was used last in this browser. */
  last: { id: string; label: string } | null;
}) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 p-4 2xl:p-6">
      <section aria-labelledby="start" className="grid gap-3">
        <h2 id="start" className="text-title">
          {START_TITLE}
        </h2>
        <div className="grid gap-2 sm:grid-cols-2">
          {WAYS.map(({ to, icon: Icon, name, about }) => (
            <Link
              key={to}
              to={to}
              className="flex items-start gap-3 rounded-[6px] border border-line bg-surface p-3 last:sm:col-span-2 hover:border-edge"
            >
              <Icon aria-hidden size={20} strokeWidth={1.5} className="mt-0.5 shrink-0 text-accent" />
              <span>
                <strong className="block font-semibold">{name}</strong>
                <span className="text-dim">{about}</span>
              </span>
            </Link>
          ))}
        </div>
        {last ? (
          <p className="text-dim">
            {LAST_USED}{" "}
            <Link to={`/?preset=${last.id}`} className="link">
              {last.label}
            </Link>
          </p>
        ) : null}
      </section>
      {start ? <RecentPieces start={start} /> : null}
    </div>
  );
}

function RecentPieces({ start }: { start: StartView }) {
  const account = useCurrentAccount();
  return (
    <section aria-labelledby="recent-pieces">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-line border-b pb-2">
        <h2 id="recent-pieces">Recent pieces</h2>
        <p className="flex flex-wrap gap-x-4 text-dim tabular-nums">
          {account ? (
            <Link to="/users" className="hover:text-ink">
              {formatAvailable(account.available)}
            </Link>
          ) : null}
          <Link to="/users?view=history" className="hover:text-ink">
            {formatMonth(start.month)}
          </Link>
        </p>
      </div>
      {start.alarms > 0 ? (
        <Link
          to="/alarms"
          className="flex items-center gap-2 border-line border-b bg-warn-wash px-2 py-2 font-medium text-warn tabular-nums"
        >
          {formatAlarms(start.alarms)}
        </Link>
      ) : null}
      {start.recent.length === 0 ? (
        <p className="py-3 text-dim">{NO_PIECES}</p>
      ) : (
        <ul>
          {start.recent.map((piece) => (
            <PieceLine key={piece.id} piece={piece} />
          ))}
        </ul>
      )}
    </section>
  );
}

function PieceLine({ piece }: { piece: RecentPiece }) {
  const Icon = piece.mailType === "letter" ? FileText : Mail;
  return (
    <li className="border-line border-b">
      <Link to={`/sends/${piece.id}`} className="flex min-h-9 items-center gap-2.5 px-2 hover:bg-sunken">
        <Icon aria-hidden size={16} strokeWidth={1.5} className="shrink-0 text-dim" />
        <span className="sr-only">{piece.mailType === "letter" ? "Letter" : "Postcard"}</span>
        <span className="min-w-0 flex-1 truncate">
          {piece.recipient ?? <span className="text-dim">not named</span>}
        </span>
        <Badge tone={piece.tone}>{piece.status.replaceAll("_", " ")}</Badge>
        <span className="w-20 shrink-0 text-right text-dim">
          <Moment at={piece.sentAt} />
        </span>
      </Link>
    </li>
  );
}

/** The preset that was chosen last; null where this browser remembers none. */
export function useLastPreset({ preset, presets }: BuilderView): PresetEntry | null {
  const [last, remember] = useRemembered<string>("preset", "");
  const [address] = useSearchParams();
  const chosen = address.has("preset");
  useEffect(() => {
    if (chosen && preset.id !== CUSTOM.id) remember(preset.id);
  }, [chosen, preset.id, remember]);
  return presets.find(({ id }) => id === last) ?? null;
}

/** "November: 12 pieces, 14 credits" */
function formatMonth({ name, pieces, credits }: StartView["month"]): string {
  return `${name}: ${pieces.toLocaleString("en")} ${pieces === 1 ? "piece" : "pieces"}, ${formatCredits(credits)}`;
}

function formatAvailable(credits: number): string {
  return `${formatCredits(credits)} available`;
}

function formatAlarms(count: number): string {
  return count === 1 ? "1 alarm needs a decision" : `${count.toLocaleString("en")} alarms need a decision`;
}
