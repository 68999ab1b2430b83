import type { MailType } from "~/pieces/mail-type";
import { formatBytes } from "~/platform/format-integer";
import { Notice } from "~/ui/notice";
import type { ReopenReport } from "../draft/open-draft.server";

export const CANNOT_REOPEN = "This request cannot be opened.";

export function formatWasLive(mailType: MailType): string {
  return `This ${mailType} was sent live. It opens in test mode: nothing is mailed or charged until you switch to Live.`;
}

/** Names the source of this draft and its differences from the request that was sent. */
export function ReopenNotice({ report }: { report: ReopenReport | { problem: string } }) {
  if ("problem" in report) {
    return (
      <Notice tone="bad" title={CANNOT_REOPEN} urgent>
        {report.problem}
      </Notice>
    );
  }
  const { sentAt, again, missing, byHand, unfit, wasLive, lostBase, repeatRisk } = report;
  const changed = missing.length > 0 || unfit.length > 0 || wasLive !== null || lostBase !== null;
  return (
    <>
      {repeatRisk ? <Notice tone="warn">{repeatRisk}</Notice> : null}
      <Notice tone={changed ? "warn" : "info"} title={formatReopenTitle(again, changed)}>
        {`Copy of the request sent on ${sentAt}. Sending it makes a new request.`}
        {changed ? (
          <ul className="mt-1 list-disc pl-5">
            {wasLive ? <li>{formatWasLive(wasLive)}</li> : null}
            {missing.map(({ place, bytes }) => (
              <li key={place}>
                The file in <span className="wire">{place}</span> ({formatBytes(bytes)}) was not kept.{" "}
                {byHand ? "Put its base64 where the Body tab says so." : "Choose it again."}
              </li>
            ))}
            {unfit.length > 0 ? (
              <li>
                The form has no field for <span className="wire">{unfit.join(", ")}</span>. See the Body or
                Query Params tab; {unfit.length === 1 ? "it" : "they"} will be sent.
              </li>
            ) : null}
            {lostBase ? (
              <li>{`The base URL ${lostBase} is no longer configured. Choose another one.`}</li>
            ) : null}
          </ul>
        ) : null}
      </Notice>
    </>
  );
}

function formatReopenTitle(again: boolean, changed: boolean): string {
  if (again) return "New request.";
  return changed ? "Opened with changes." : "Opened as it was sent.";
}
