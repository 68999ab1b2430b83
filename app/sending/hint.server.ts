import { isSameCall, PRESETS } from "~/catalogue/presets";
import { parseResetSeconds } from "~/outside/mail-provider/call/rate-limit";
import {
  formatDocumentedPath,
  formatRateLimitHint,
  HINT_BY_STATUS,
  HINT_NOT_FOUND,
  HINT_PROVIDER_DOWN,
  HINT_REDIRECT,
  HINT_REPLAY,
  HINT_UNLISTED,
} from "./messages";

/** The facts that decide the next step after a call. */
export interface HintCase {
  method: string;
  /** Relative to the base, as classified. */
  path: string;
  status: number;
  /** True when the answer counts as a success. */
  success: boolean;
  /** The provider's, names in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** The next step in one sentence, or null when there is nothing to add. */
export function formatHint(answer: HintCase): string | null {
  const { status, success } = answer;
  if (success) {
    return status === 409 ? HINT_REPLAY : null;
  }
  if (status === 404) return formatNotFound(answer);
  if (status === 429) return formatRateLimitHint(parseResetSeconds(answer.headers));
  if (status >= 300 && status < 400) {
    return HINT_REDIRECT;
  }
  if (status >= 500) return HINT_PROVIDER_DOWN;
  return HINT_BY_STATUS[status] ?? null;
}

function formatNotFound({ method, path }: HintCase): string {
  const preset = PRESETS.find((candidate) => isSameCall(candidate, method, path));
  const documented = preset && "documented" in preset.reference ? preset.reference.documented : undefined;
  if (documented && documented.path !== preset?.path) {
    return formatDocumentedPath(documented.method, documented.path);
  }
  return preset?.reference.status === "unlisted" ? HINT_UNLISTED : HINT_NOT_FOUND;
}
