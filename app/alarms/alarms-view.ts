import { formatInteger } from "~/platform/format-integer";
import type { FormattedMoment } from "~/ui/moment";

/** A page of alarms, open or closed, the newest first. */
export interface AlarmsView {
  closed: boolean;
  /** Number of open alarms. */
  open: number;
  alarms: AlarmRow[];
  /** Addresses of the first and the next page; null where there is none. */
  newest: string | null;
  older: string | null;
}

/** A shown alarm. */
export interface AlarmRow {
  id: string;
  title: string;
  subject: { name: string; href: string | null };
  opened: FormattedMoment;
  last: FormattedMoment;
  times: number;
  evidence: { at: FormattedMoment | null; text: string; facts: [name: string, value: string][] }[];
  closed: { at: FormattedMoment; by: string; reason: string } | null;
  /** The decision to make on the page of its subject, while it is open; null without one. */
  decision: string | null;
  /** True when a person may close it here. */
  closable: boolean;
}

/** Returns the address of a page of alarms. */
export function alarmsAddress({ closed, before }: { closed: boolean; before?: string | null }): string {
  const query = new URLSearchParams({ ...(closed ? { show: "closed" } : {}), ...(before ? { before } : {}) });
  return query.size > 0 ? `/alarms?${query}` : "/alarms";
}

/** Formats the number of open alarms for the badge and its title. */
export function formatOpenAlarms(count: number): string {
  return count === 1 ? "1 alarm" : `${formatInteger(count)} alarms`;
}

/**
 * Makes the `meta` of a page: its title, with the number of open alarms before it.
 * @param find reads a better name from the page's data
 */
export function titlePage<Data>(name: string, find?: (data: Data) => string) {
  return ({ data, matches }: { data?: unknown; matches: { data?: unknown }[] }) => {
    const { openAlarms } = Object(matches[0]?.data) as { openAlarms?: number };
    const title = data && find ? find(data as Data) : name;
    return [{ title: `${openAlarms ? `(${openAlarms}) ` : ""}${title} · Mailroom` }];
  };
}
