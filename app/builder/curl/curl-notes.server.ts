import type { CurlReport } from "./curl-report";
import {
  CURL_LIVE,
  formatFilesByHand,
  formatFilesToChoose,
  formatHeadersLeftOut,
  formatKeyDropped,
  formatOtherBase,
  formatRepeated,
  formatUnfit,
} from "./messages";

/** The report for people, the most important first. */
export function listCurlNotes(report: CurlReport): string[] {
  const { keys, otherBase, filesToChoose, filesByHand, headersLeftOut, unfit, repeated, wasLive } = report;
  return [
    ...(wasLive ? [CURL_LIVE] : []),
    ...(keys.length > 0 ? [formatKeyDropped(keys)] : []),
    ...(otherBase ? [formatOtherBase(otherBase.host, otherBase.label)] : []),
    ...(filesToChoose.length > 0 ? [formatFilesToChoose(filesToChoose)] : []),
    ...(filesByHand.length > 0 ? [formatFilesByHand(filesByHand)] : []),
    ...(headersLeftOut.length > 0 ? [formatHeadersLeftOut(headersLeftOut)] : []),
    ...(unfit.length > 0 ? [formatUnfit(unfit)] : []),
    ...(repeated.length > 0 ? [formatRepeated(repeated)] : []),
  ];
}
