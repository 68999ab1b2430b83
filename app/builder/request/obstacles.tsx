import { Notice } from "~/ui/notice";
import type { Problem } from "./request";

/** What keeps the request from being sent, where it is seen from every inner tab. */
export function Obstacles({
  block,
  problems,
  dropped,
}: {
  block: string | null;
  problems: Problem[];
  dropped: string[];
}) {
  if (block === null && problems.length === 0 && dropped.length === 0) return null;
  return (
    <div id="send-obstacle" className="grid gap-2 p-4 pb-0">
      {dropped.length > 0 ? (
        <Notice tone="warn" title="Files are missing.">
          History does not keep large files. Choose {dropped.join(", ")} again.
        </Notice>
      ) : null}
      {block !== null ? (
        <Notice tone="bad" urgent title={block.replace(/\.$/, "")}>
          Send is off until this is mended.
          <noscript> Correct it, then press Update without sending.</noscript>
        </Notice>
      ) : null}
      {problems.length > 0 ? (
        <Notice tone="bad" title="Validation errors:" urgent>
          {problems.map((problem) => problem.message).join(", ")}. Nothing was sent and nothing was charged.
        </Notice>
      ) : null}
    </div>
  );
}
