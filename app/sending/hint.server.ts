import { isSameCall, PRESETS } from "~/catalogue/presets";
import { parseResetSeconds } from "~/outside/mail-provider/rate-limit";

/** An answered call, as far as its next step depends on it. */
export interface HintCase {
  method: string;
  /** Relative to the base, as classified. */
  path: string;
  live: boolean;
  status: number;
  /** Whether the answer counts as a success. */
  success: boolean;
  /** Whether the answer was JSON. */
  readable: boolean;
  /** The provider's, names in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** The next step in one sentence, or null when there is nothing to add. */
export function findHint(answer: HintCase): string | null {
  const { status, success, live, readable } = answer;
  if (live && (status >= 500 || status === 408 || (status < 300 && !readable))) {
    return "The provider may have accepted this all the same: look for it there before you send it again.";
  }
  if (success) {
    return status === 409
      ? "The provider had this same request before and repeats its first answer; nothing was done a second time."
      : null;
  }
  if (status === 404) return explainMissing(answer);
  if (status === 429) return explainRateLimit(answer.headers);
  if (status >= 300 && status < 400) {
    return "Redirects are never followed, because the key would go with them; choose another base URL or path.";
  }
  if (status >= 500) return "The provider has a problem of its own; try again in a moment.";
  return BY_STATUS[status] ?? null;
}

const BY_STATUS: Record<number, string> = {
  401: "The provider does not accept the server's key: check STANNP_API_KEY, and that the base URL is of the key's region.",
  402: "The provider account has too little balance; top it up there, then send again.",
  403: "The provider account's plan or the key's rights do not cover this call.",
  413: "The request is too large for the provider: reduce image sizes or content.",
};

function explainMissing({ method, path }: HintCase): string {
  const preset = PRESETS.find((candidate) => isSameCall(candidate, method, path));
  const documented = preset && "documented" in preset.reference ? preset.reference.documented : undefined;
  if (documented && documented.path !== preset?.path) {
    return `The provider documents this as ${documented.method} ${documented.path}: switch to the documented path.`;
  }
  if (preset?.reference.status === "unlisted") {
    return "This call is not in the provider's public reference, so this account may not have it.";
  }
  return "Check the path, and that the id exists in the account that the base URL and the key belong to.";
}

function explainRateLimit(headers: HintCase["headers"]): string {
  const seconds = parseResetSeconds(headers);
  const when = seconds === null ? "in a minute" : `in ${seconds} s`;
  return `The provider's rate limit is used up and nothing was done; try again ${when}.`;
}
