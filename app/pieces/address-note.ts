/** Verdicts of an address check. `corrected`: found in another spelling. `unchecked`: no verdict was available. */
export const ADDRESS_VERDICTS = ["valid", "corrected", "not_found", "unchecked"] as const;
export type AddressVerdict = (typeof ADDRESS_VERDICTS)[number];

/** The address check of a letter or postcard, as its caller reports it. It blocks nothing. */
export interface AddressCheckNote {
  verdict: AddressVerdict;
  /** True when it was sent against the verdict. */
  overridden: boolean;
}

/** True when a person can send against a verdict. */
export function canOverride(verdict: AddressVerdict): boolean {
  return verdict === "not_found" || verdict === "corrected";
}

/** Formats the word that is stored with the send; null without a check. */
export function toAddressCheckWord(note: AddressCheckNote | null): string | null {
  if (note === null) return null;
  return note.overridden ? `${note.verdict}_overridden` : note.verdict;
}

/** Formats the line of a piece's timeline for a stored verdict; null without one. */
export function formatAddressCheck(
  kept: string | null,
  sender: string,
): { text: string; tone: "plain" | "warn" } | null {
  switch (kept) {
    case "valid":
      return { text: "Address found by the provider", tone: "plain" };
    case "corrected":
      return { text: "Address found by the provider, written otherwise", tone: "plain" };
    case "corrected_overridden":
      return { text: `Address written otherwise by the provider; sent as typed by ${sender}`, tone: "plain" };
    case "not_found":
      return { text: "Address not found by the provider", tone: "warn" };
    case "not_found_overridden":
      return { text: `Address not found by the provider; sent anyway by ${sender}`, tone: "warn" };
    case "unchecked":
      return { text: "Address could not be checked", tone: "plain" };
    default:
      return null;
  }
}
