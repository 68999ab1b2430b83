import { formatBytes } from "~/ui/format-bytes";
import { Notice } from "~/ui/notice";
import type { ReopenReport } from "./reopen-report";

/** Where this draft comes from, and in what it differs from what was sent. */
export function ReopenNotice({ reopenReport }: { reopenReport: ReopenReport | { problem: string } }) {
  if ("problem" in reopenReport) {
    return (
      <div className="border-line border-b p-3">
        <Notice tone="bad" title="It cannot be opened." urgent>
          {reopenReport.problem}
        </Notice>
      </div>
    );
  }
  const { sentAt, again, missing, byHand, unfit, wasLive, lostBase } = reopenReport;
  const changed = missing.length > 0 || unfit.length > 0 || wasLive !== null || lostBase !== null;
  return (
    <div className="border-line border-b p-3">
      <Notice
        tone={changed ? "warn" : "info"}
        title={again ? "A new request." : `Opened${changed ? ", not quite" : ""} as it was sent.`}
      >
        It has the content of what was sent on {sentAt}, under a key of its own.
        {changed ? (
          <ul className="mt-1 list-disc pl-5">
            {wasLive ? (
              <li>
                This {wasLive} was sent live. It opens as a <strong>test</strong>: nothing is mailed or
                charged unless Test mode is taken out.
              </li>
            ) : null}
            {missing.map(({ place, bytes }) => (
              <li key={place}>
                The file in <span className="wire">{place}</span> ({formatBytes(bytes)}) was not kept:{" "}
                {byHand ? "put its base64 where the Body says so." : "choose it again."}
              </li>
            ))}
            {unfit.length > 0 ? (
              <li>
                These no longer fit the preset’s form, so they stand by hand in the Body or Query Params:{" "}
                <span className="wire">{unfit.join(", ")}</span>.
              </li>
            ) : null}
            {lostBase ? (
              <li>The base URL {lostBase} is not configured any more; choose another one.</li>
            ) : null}
          </ul>
        ) : null}
      </Notice>
    </div>
  );
}
