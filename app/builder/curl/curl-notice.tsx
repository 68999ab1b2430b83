import { Notice } from "~/ui/notice";
import { CURL_FILLED, CURL_REFUSED } from "./messages";
import type { PastedCurl } from "./use-pasted-curl";

/** What became of a pasted curl command, above the request. */
export function CurlNotice({ shown }: { shown: NonNullable<PastedCurl["shown"]> }) {
  if ("problem" in shown) {
    return (
      <div className="border-line border-b p-3">
        <Notice tone="bad" title={CURL_REFUSED} urgent>
          {shown.problem}
        </Notice>
      </div>
    );
  }
  const { notes } = shown;
  return (
    <div className="border-line border-b p-3" role="status">
      <Notice tone={notes.length > 0 ? "warn" : "info"} title={CURL_FILLED}>
        {notes.length > 0 ? (
          <ul className="mt-1 list-disc pl-5">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        ) : null}
      </Notice>
    </div>
  );
}
