import { NOTHING_DONE } from "~/platform/http/messages";

/** The sentences about calls to the provider: what failed, and the next step. */

export const PDF_LINK_EXPIRED =
  "The provider's link to this PDF has expired, as it does after about 30 minutes. Test again to see it.";
export const PDF_NOT_FETCHED = "The provider's PDF could not be fetched. Try again in a moment.";
export const PDF_NOT_A_PDF = "The provider's file is not a PDF. Test again.";

export function formatPdfTimeout(seconds: number): string {
  return `The provider's PDF did not arrive within ${seconds} s. Try again.`;
}

export function formatPdfStatus(status: number): string {
  return `The provider answered ${status} instead of its PDF. Try again in a moment, or test again.`;
}

export function formatPdfTooLarge(limitMegabytes: number): string {
  return `The provider's PDF is larger than ${limitMegabytes} MB, so it is not shown here.`;
}

/** Where a request cannot be searched for credentials. */
export function formatTooDeep(levels: number): string {
  return `The request has values nested deeper than ${levels} levels.`;
}

/** Before anything was sent: as many calls as may wait are waiting. */
export function formatProviderBusy(seconds: number): string {
  return `Too many calls are waiting for the mail provider. ${NOTHING_DONE} Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
}
