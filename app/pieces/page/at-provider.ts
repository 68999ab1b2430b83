import { formatMoment } from "~/ui/moment";
import type { MailItem } from "../../../prisma/client/client";
import { findCancelObstacle } from "../mail-item";
import type { SendRecord } from "../send/find-send.server";
import type { PieceState } from "../states";
import { findStatus, formatStatus, isTooLate, type StatusTone, toneOf } from "../status";
import { capitalise, STATE_WORDS } from "./messages";
import type { ReportedStatus } from "./timeline.server";

/** The provider's usual statuses, without cancelled and returned. */
const USUAL_STEPS = ["received", "producing", "handed_over", "local_delivery", "delivered"];

type Item = Pick<MailItem, "status" | "isCancelled" | "providerId" | "test"> & { canSimulate: boolean };

/** Finds the word beside a piece's title: the provider's status once it is mailed, else our state. */
export function toShown(state: PieceState, status: string | null): { word: string; tone: StatusTone } {
  if (state !== "accepted" || status === null) return STATE_WORDS[state];
  return { word: capitalise(formatStatus(status)), tone: toneOf(status) };
}

/** The piece as the provider has it. */
export type ProviderPiece = ReturnType<typeof toProviderPiece>;

/** Builds the progress of a piece and its possible actions. */
export function toProviderPiece(
  send: Pick<SendRecord, "state">,
  item: Item,
  statuses: ReportedStatus[],
  now: Date,
) {
  const { status } = item;
  const { isCancelled, providerId: mailItemId, test: isTest } = item;
  const isCancelling = send.state === "cancelling";
  const obstacle = findCancelObstacle({ isTest, mailItemId, isCancelled, isCancelling });
  const refreshable = !isTest && !isCancelled && mailItemId !== null;
  const ranks = statuses.map((reported) => rankOf(reported.status));
  const end = status === "cancelled" || status === "returned" ? [status] : [];
  const words =
    end.length === 0
      ? USUAL_STEPS
      : [...USUAL_STEPS.filter((word) => rankOf(word) <= lastRank(statuses)), ...end];
  return {
    status,
    tone: toneOf(status),
    meaning: findStatus(status)?.meaning ?? "",
    cancellable: obstacle === null,
    /** True when production has begun, so that a cancel will probably be refused. */
    tooLate: isTooLate(status),
    refreshable,
    simulatable:
      refreshable && item.canSimulate && send.state === "accepted" && rankOf(status) < rankOf("delivered"),
    steps: words.map((word) => {
      const reported = statuses.find((one) => rankOf(one.status) === rankOf(word));
      const at = reported ? (reported.saidAt ?? reported.at) : null;
      return {
        status: reported?.status ?? word,
        at: at && formatMoment(at, now),
        reached: ranks.some((rank) => rank >= rankOf(word)) || word === status,
      };
    }),
  };
}

/** Returns the rank of the furthest usual step. */
function lastRank(statuses: ReportedStatus[]): number {
  return statuses
    .map(({ status }) => (USUAL_STEPS.some((word) => rankOf(word) === rankOf(status)) ? rankOf(status) : 0))
    .reduce((most, rank) => Math.max(most, rank), 0);
}

function rankOf(status: string): number {
  return findStatus(status)?.rank ?? 0;
}
