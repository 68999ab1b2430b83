import { NOTHING_DONE } from "~/platform/http/messages";
import { Notice } from "~/ui/notice";
import { formatMissingFiles, SEND_BLOCKS, THEN_UPDATE } from "../messages";
import type { Problem, SendBlock } from "./request";

/** Why the request cannot be sent, above the inner tabs so that it is visible from each of them. */
export function Obstacles({
  block,
  bodyProblem,
  problems,
  dropped,
}: {
  block: SendBlock | null;
  /** Where and why the posted body is not JSON. With JavaScript the Body tab says so while one types. */
  bodyProblem: string | null;
  problems: Problem[];
  dropped: string[];
}) {
  if (block === null && problems.length === 0 && dropped.length === 0) return null;
  return (
    <div id="send-obstacle" className="grid gap-2 p-4 pb-0">
      {dropped.length > 0 ? (
        <Notice tone="warn" title="Files are missing.">
          {formatMissingFiles(dropped)}
        </Notice>
      ) : null}
      {block !== null ? (
        <Notice tone="bad" urgent title={SEND_BLOCKS[block].title}>
          {SEND_BLOCKS[block].fix}
          <noscript>
            {" "}
            {block === "invalid_json" ? bodyProblem : null} {THEN_UPDATE}
          </noscript>
        </Notice>
      ) : null}
      {problems.length > 0 ? (
        <Notice tone="bad" title="Validation errors:" urgent>
          {problems.map((problem) => problem.message).join(", ")}. {NOTHING_DONE}
        </Notice>
      ) : null}
    </div>
  );
}
