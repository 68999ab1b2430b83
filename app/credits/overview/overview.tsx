import { BALANCE_THRESHOLDS, CREDIT_PACKAGE, PACKAGE_PRICE } from "~/catalogue/prices";
import { NAMELESS } from "~/people/user-option";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { Badge } from "~/ui/badge";
import { Chart } from "~/ui/chart/chart";
import { Figure } from "~/ui/fact";
import { TextLink } from "~/ui/links";
import { Cell, Row, Table } from "~/ui/list/table";
import { Moment } from "~/ui/moment";
import { Notice } from "~/ui/notice";
import { formatCredits } from "../format-credits";
import type { OverviewView } from "./load-overview.server";

/** Size of a balance's line chart, in pixels. */
const LINE_WIDTH = 116;
const LINE_HEIGHT = 24;
const LINE_MARGIN = 2;
const NAMES_SHOWN = 3;
const TONES = { comfortable: "strong", middling: "neutral", low: "bad" } as const;

export function Overview({ view }: { view: OverviewView }) {
  const { totals, users, search, matches } = view;
  return (
    <>
      <div className="grid items-start gap-x-8 gap-y-4 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Chart {...view.spend} />
        <dl className="grid grid-cols-3 gap-4 md:pt-9">
          <Figure
            label="Available"
            value={totals.available}
            note={`across ${formatCount(totals.users, "user")}`}
          />
          <Figure
            label="Reserved"
            value={totals.held}
            note={totals.held === 0 ? "no pieces being sent" : "for pieces being sent"}
          />
          <Figure label="Spent, all time" value={totals.spent} note="on mail" />
        </dl>
      </div>
      {view.openAlarms > 0 ? (
        <Notice tone="warn" title={`${formatCount(view.openAlarms, "alarm")} open.`}>
          <TextLink to="/alarms">See what needs a decision</TextLink>
        </Notice>
      ) : null}
      {view.low ? <LowNotice low={view.low} /> : null}
      {search ? (
        <p>
          {formatCount(matches, "user")} found for “{search}”.{" "}
          <TextLink to="/users?view=overview">Show all</TextLink>
        </p>
      ) : null}
      {users.length > 0 ? (
        <Table
          label="Users"
          rows="keys"
          head={[
            "User",
            "Balance",
            { numeric: "Reserved" },
            { numeric: "Available" },
            { wideOnly: "30 days" },
            { numeric: "Total spent" },
            "Last updated",
            { unseen: "Actions" },
          ]}
        >
          {users.map((user) => (
            <UserLine key={user.id} user={user} />
          ))}
        </Table>
      ) : null}
      {matches > users.length ? (
        <p className="text-dim">
          The first {users.length} of {formatInteger(matches)} users. Search to find the others.
        </p>
      ) : null}
    </>
  );
}

function UserLine({ user }: { user: OverviewView["users"][number] }) {
  const { id, balance, held, history, level } = user;
  const query = new URLSearchParams({ user_id: id });
  return (
    <Row>
      <Cell wraps="name">
        <span className="font-semibold">{user.displayName}</span>{" "}
        {user.isViewer && user.displayName !== NAMELESS ? <Badge tone="accent">You</Badge> : null}{" "}
        <span className="text-dim">{user.username}</span>
      </Cell>
      <Cell>
        <BalanceBadge balance={balance} level={level} />
      </Cell>
      <Cell numeric>
        {held === 0 ? (
          <span className="text-dim">0</span>
        ) : (
          // Mail Management lists the pieces that hold them.
          <TextLink to={`/mail?${query}&status=held`}>
            {formatInteger(held)}
            <span className="sr-only"> reserved for pieces of {user.displayName}</span>
          </TextLink>
        )}
      </Cell>
      <Cell numeric>{formatInteger(balance - held)}</Cell>
      <Cell wideOnly>
        <Sparkline
          values={history}
          label={`Balance: ${formatCredits(history[0] ?? balance)} 30 days ago, ${balance} now`}
          tone={level === "low" ? "bad" : "accent"}
        />
      </Cell>
      <Cell numeric>{formatInteger(user.totalSpent)}</Cell>
      <Cell>
        {user.lastUpdated ? <Moment at={user.lastUpdated} /> : <span className="text-dim">never</span>}
      </Cell>
      <Cell>
        <span className="flex justify-end gap-x-3 gap-y-[6px] whitespace-nowrap max-lg:flex-col">
          <TextLink to={`/users?view=history&${query}`} data-open>
            History<span className="sr-only"> of {user.displayName}</span>
          </TextLink>
          <TextLink to={`/users?view=manage&${query}`}>
            Add or deduct<span className="sr-only"> for {user.displayName}</span>
          </TextLink>
        </span>
      </Cell>
    </Row>
  );
}

function LowNotice({ low }: { low: NonNullable<OverviewView["low"]> }) {
  const { names, allEmpty } = low;
  const more = names.length - NAMES_SHOWN;
  const first = names.slice(0, NAMES_SHOWN);
  const last = more > 0 ? `${more} more` : first.pop();
  const who = first.length > 0 ? `${first.join(", ")} and ${last}` : last;
  const state = allEmpty ? "no credits" : `fewer than ${BALANCE_THRESHOLDS.low} credits`;
  return (
    <Notice tone="bad" title={`${who} ${names.length === 1 ? "has" : "have"} ${state}.`}>
      Live mail that cannot be paid for is refused before it is sent.{" "}
      <TextLink to={`/users?${new URLSearchParams({ view: "purchase", user_id: low.userId })}`}>
        Buy {CREDIT_PACKAGE.credits} credits for {PACKAGE_PRICE}
      </TextLink>
    </Notice>
  );
}

/** A balance by level; a low one also says so in words. */
function BalanceBadge({ balance, level }: Pick<OverviewView["users"][number], "balance" | "level">) {
  return (
    <Badge tone={TONES[level]}>
      <span className="tabular-nums">
        {formatCredits(balance)}
        {level === "low" ? ", low" : ""}
      </span>
    </Badge>
  );
}

type SparklineProps = { values: readonly number[]; label: string; tone: "accent" | "bad" };

/** A small line chart; `label` is its text alternative. */
function Sparkline({ values, label, tone }: SparklineProps) {
  const top = Math.max(...values, 1);
  const points = values.map((value, index) => {
    const x = LINE_MARGIN + (index / Math.max(values.length - 1, 1)) * (LINE_WIDTH - 2 * LINE_MARGIN);
    const y = LINE_HEIGHT - LINE_MARGIN - (value / top) * (LINE_HEIGHT - 2 * LINE_MARGIN);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      role="img"
      aria-label={label}
      width={LINE_WIDTH}
      height={LINE_HEIGHT}
      viewBox={`0 0 ${LINE_WIDTH} ${LINE_HEIGHT}`}
    >
      <title>{label}</title>
      <polyline
        points={points.join(" ")}
        fill="none"
        strokeWidth="1.5"
        strokeLinejoin="round"
        className={tone === "bad" ? "stroke-live" : "stroke-accent"}
      />
    </svg>
  );
}
