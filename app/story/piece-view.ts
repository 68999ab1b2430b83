import { addressOf } from "~/mail/mail-view";
import { findCancelObstacle } from "~/pieces/mail-item";
import type { SendRecord } from "~/pieces/send/find-send.server";
import { findStatus, toneOf } from "~/pieces/status";
import { formatMoment } from "~/ui/moment";
import type { StoryPiece } from "./story";
import type { StoryStatus } from "./timeline";

/** A piece's way as it goes when nothing comes between (provider-api.md §3.6). */
const WAY = ["received", "producing", "handed_over", "local_delivery", "delivered"];

interface Item {
  status: string;
  isCancelled: boolean;
  providerId: string | null;
  test: boolean;
}

/** Where the piece is on its way, and whether it can be cancelled. */
export function describeStoryPiece(
  send: Pick<SendRecord, "id" | "userId" | "mailType" | "state">,
  item: Item,
  statuses: StoryStatus[],
  now: Date,
): StoryPiece {
  const { status } = item;
  const isCancelling = send.state === "cancelling";
  const obstacle = findCancelObstacle({
    isTest: item.test,
    mailItemId: item.providerId,
    isCancelled: item.isCancelled,
    isCancelling,
  });
  const ranks = statuses.map((heard) => findStatus(heard.status)?.rank ?? 0);
  const end = status === "cancelled" || status === "returned" ? [status] : [];
  const words =
    end.length === 0 ? WAY : [...WAY.filter((word) => rankOf(word) <= lastRank(statuses)), ...end];
  return {
    status,
    tone: toneOf(status),
    meaning: findStatus(status)?.meaning ?? "",
    cancel:
      obstacle === null ? addressOf({ user_id: send.userId, type: send.mailType, cancel: send.id }) : null,
    refreshable: !item.test && !item.isCancelled && item.providerId !== null,
    way: words.map((word) => {
      const heard = statuses.find((one) => rankOf(one.status) === rankOf(word));
      const at = heard ? (heard.saidAt ?? heard.at) : null;
      return {
        status: heard?.status ?? word,
        at: at && formatMoment(at, now),
        reached: ranks.some((rank) => rank >= rankOf(word)) || word === status,
      };
    }),
  };
}

/** Of the furthest word that is no end. */
function lastRank(statuses: StoryStatus[]): number {
  return Math.max(
    0,
    ...statuses.map(({ status }) =>
      WAY.some((word) => rankOf(word) === rankOf(status)) ? rankOf(status) : 0,
    ),
  );
}

function rankOf(status: string): number {
  return findStatus(status)?.rank ?? 0;
}
