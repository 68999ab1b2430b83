import { isSameCall, PRESETS } from "~/catalogue/presets";
import { parseResetSeconds } from "~/outside/mail-provider/call/answer";

const HINT_REPLAY =
  "The provider had this same request before and repeats its first answer; nothing was done a second time.";
const HINT_REDIRECT =
  "Redirects are never followed, because the key would go with them. Choose another base URL or path.";
const HINT_PROVIDER_DOWN = "The provider has a problem of its own. Try again in a moment.";
const HINT_UNLISTED = "This call is not in the provider's public reference, so this account may not have it.";
const HINT_NOT_FOUND = "Check the path, and that this ID exists in the account.";
const HINT_BY_STATUS: Readonly<Record<number, string>> = {
  401: "The provider does not accept the server's key. Check STANNP_API_KEY, and that the base URL is of the key's region.",
  402: "The provider's account is out of funds; your credits are not affected. Top it up there, then send again.",
  403: "The provider account's plan or the key's rights do not cover this call.",
  413: "The request is too large for the provider. Reduce image sizes or content.",
};

/** An answered call. */
export interface HintCase {
  method: string;
  /** Classified path, relative to the base. */
  path: string;
  status: number;
  success: boolean;
  /** The provider's headers, names in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** Formats the next step in one sentence; null when there is none. */
export function formatHint(answer: HintCase): string | null {
  const { status, success } = answer;
  if (success) return status === 409 ? HINT_REPLAY : null;
  if (status === 404) return formatNotFound(answer);
  if (status === 429) {
    const seconds = parseResetSeconds(answer.headers);
    return `The provider's rate limit is used up and nothing was done. Try again in ${seconds === null ? "a minute" : `${seconds} s`}.`;
  }
  if (status >= 300 && status < 400) return HINT_REDIRECT;
  if (status >= 500) return HINT_PROVIDER_DOWN;
  return HINT_BY_STATUS[status] ?? null;
}

function formatNotFound({ method, path }: HintCase): string {
  const preset = PRESETS.find((candidate) => isSameCall(candidate, method, path));
  const documented = preset && "documented" in preset.reference ? preset.reference.documented : undefined;
  if (documented && documented.path !== preset?.path) {
    return `The provider documents this as ${documented.method} ${documented.path}: switch to the documented path.`;
  }
  return preset?.reference.status === "unlisted" ? HINT_UNLISTED : HINT_NOT_FOUND;
}
