import { Link } from "@remix-run/react";
import { Bell, FileText, History, Mail, Users } from "lucide-react";
import { useEffect } from "react";
import { CUSTOM } from "~/catalogue/types";
import { formatCredits } from "~/credits/format-credits";
import type { MailType } from "~/pieces/mail-type";
import { formatStatus } from "~/pieces/status";
import { formatCount } from "~/platform/format-integer";
import { Badge } from "~/ui/badge";
import { Absent } from "~/ui/fact";
import { TextLink } from "~/ui/links";
import { Moment } from "~/ui/moment";
import { useRemembered } from "~/ui/use-remembered";
import { useCurrentAccount } from "../send/use-current-account";
import type { ShownView } from "./builder-view";
import type { StartView } from "./load-start.server";

export const START_TITLE = "What do you want to mail?";

export const LAST_USED = "Last used:";

/** The ways to begin. `from` marks them as the way into the page. */
const WAYS = [
  {
    to: "/?preset=postcards.create&from=start",
    icon: Mail,
    name: "Postcard",
    description: "A picture and a message",
  },
  {
    to: "/?preset=letters.create&from=start",
    icon: FileText,
    name: "Letter",
    description: "A text or a PDF",
  },
  { to: "/bulk", icon: Users, name: "List", description: "One template to many people" },
];

interface StartPanelProps {
  /** Null while the database cannot be read; the ways to begin do not need it. */
  start: StartView | null;
  last: { id: string; label: string } | null;
}

/** The first screen of a person signed in: ways to begin, what needs a person, this month, and the latest pieces. */
export function StartPanel({ start, last }: StartPanelProps) {
  const alarms = start?.alarms ?? 0;
  const tiles = [
    ...WAYS,
    { to: "/mail", icon: History, name: "Recent pieces", description: start ? formatMonth(start.month) : "" },
    {
      to: "/alarms",
      icon: Bell,
      name: "What needs you",
      description: alarms > 0 ? formatCount(alarms, "open alarm") : start ? "Nothing right now" : "",
    },
  ];
  return (
    <section
      aria-labelledby="start"
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 border-line border-b p-4 xl:col-start-2"
    >
      <h2 id="start" className="text-title">
        {START_TITLE}
      </h2>
      <div className="grid grid-cols-2 gap-2 md:grid-cols-5">
        {tiles.map(({ to, icon: Icon, name, description }) => (
          <Link
            key={to}
            to={to}
            className="flex items-start gap-2.5 rounded-[6px] border border-line bg-surface p-3 last:max-md:col-span-2 hover:border-edge"
          >
            <Icon aria-hidden size={20} strokeWidth={1.5} className="mt-0.5 shrink-0 text-accent" />
            <span className="min-w-0">
              <strong className="block font-semibold">{name}</strong>
              <span
                className={`tabular-nums ${to === "/alarms" && alarms > 0 ? "font-medium text-warn" : "text-dim"}`}
              >
                {description}
              </span>
            </span>
          </Link>
        ))}
      </div>
      {start && start.templates.length > 0 ? (
        <section aria-labelledby="templates" className="flex flex-wrap items-baseline gap-2">
          <h2 id="templates" className="mr-1">
            Templates
          </h2>
          {start.templates.map(({ id, name, mailType }) => (
            <Link key={id} to={`/?template=${id}&from=start`} className="button">
              <PieceIcon mailType={mailType} />
              {name} <span className="sr-only">({mailType})</span>
            </Link>
          ))}
        </section>
      ) : null}
      {start ? <RecentPieces start={start} /> : null}
      {last ? (
        <p className="text-dim">
          {LAST_USED} <TextLink to={`/?preset=${last.id}`}>{last.label}</TextLink>
        </p>
      ) : null}
    </section>
  );
}

function RecentPieces({ start }: { start: StartView }) {
  const account = useCurrentAccount();
  return (
    <section aria-labelledby="recent-pieces">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-line border-b pb-2">
        <h2 id="recent-pieces">Recent pieces</h2>
        {account ? (
          <Link to="/users" className="text-dim tabular-nums hover:text-ink">
            {`${formatCredits(account.available)} available`}
          </Link>
        ) : null}
      </div>
      {start.recent.length === 0 ? (
        <p className="py-3 text-dim">
          Nothing was mailed yet. Live mail of the current user appears here with its state.
        </p>
      ) : (
        <ul className="lg:grid lg:grid-cols-2 lg:gap-x-6">
          {start.recent.map((piece) => (
            <PieceLine key={piece.id} piece={piece} />
          ))}
        </ul>
      )}
    </section>
  );
}

function PieceIcon({ mailType }: { mailType: MailType }) {
  const Icon = mailType === "letter" ? FileText : Mail;
  return <Icon aria-hidden size={16} strokeWidth={1.5} className="shrink-0 text-dim" />;
}

function PieceLine({ piece }: { piece: StartView["recent"][number] }) {
  return (
    <li className="border-line border-b">
      <Link to={`/sends/${piece.id}`} className="flex min-h-9 items-center gap-2.5 px-2 hover:bg-sunken">
        <PieceIcon mailType={piece.mailType} />
        <span className="sr-only">{piece.mailType === "letter" ? "Letter" : "Postcard"}</span>
        <span className="min-w-0 flex-1 truncate">{piece.recipient ?? <Absent why="not named" />}</span>
        <Badge tone={piece.tone}>{formatStatus(piece.status)}</Badge>
        <span className="w-20 shrink-0 text-right text-dim">
          <Moment at={piece.sentAt} />
        </span>
      </Link>
    </li>
  );
}

/** The preset that was chosen last; null where this browser remembers none. */
export function useLastPreset({ preset, presets, entry }: ShownView) {
  const [last, remember] = useRemembered<string>("preset", "");
  useEffect(() => {
    if (entry !== "first" && preset.id !== CUSTOM.id) remember(preset.id);
  }, [entry, preset.id, remember]);
  return presets.find(({ id }) => id === last) ?? null;
}

/** "November: 12 pieces, 14 credits" */
function formatMonth({ name, pieces, credits }: StartView["month"]): string {
  return `${name}: ${formatCount(pieces, "piece")}, ${formatCredits(credits)}`;
}
