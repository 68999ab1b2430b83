import type { MailType } from "./mail-type";
import type { PieceState } from "./states";

/** A mail item, as the list, the CSV file and `/api/mail/items` have it. */

export interface MailItem {
  /** Our id; for live mail the id of its send, whose page is `/sends/<id>`. */
  id: string;
  userId: string;
  type: MailType;
  /** `postcards.create` */
  preset: string;
  method: string;
  path: string;
  /** The provider's id; "0" for a test, null when the provider named none. */
  mailItemId: string | null;
  /** "Ana Lopez", or "Recipient 1001" when the name is unknown. */
  addressee: string | null;
  status: string;
  statusAt: Date;
  /** 'Test Item': cannot be cancelled. */
  isTest: boolean;
  isCancelled: boolean;
  isCancelling: boolean;
  cancelledAt: Date | null;
  cancellationReason: string | null;
  /** Credits that were charged for it; a cancel gives them back. */
  charged: number;
  createdAt: Date;
}

/** True when the provider can have a piece of this id: not missing, "0" or zero. */
export function isMailId(id: string | null | undefined): id is string {
  return typeof id === "string" && id.trim() !== "" && !/^0+$/.test(id.trim());
}

export const CANNOT_CANCEL = "Cannot cancel test items or items without a valid mail ID";

/** Returns the reason why the Cancel button is disabled; null when it is enabled. */
export function findCancelObstacle(
  item: Pick<MailItem, "isTest" | "mailItemId"> & { state: PieceState | null },
): string | null {
  if (item.isTest || !isMailId(item.mailItemId)) return CANNOT_CANCEL;
  if (item.state === "cancelled") return "Cancelled already";
  return item.state === "cancelling" ? "Being cancelled; the provider has not confirmed it yet" : null;
}

/** Formats an item for `/api/mail/items`: the public fields first, then our own. */
export function toWireItem(item: MailItem) {
  return {
    id: item.id,
    preset: item.preset,
    status: item.status,
    method: item.method,
    type: `${item.type}s` as const,
    path: item.path,
    createdAt: item.createdAt.toISOString(),
    mailItemId: item.mailItemId,
    isCancelled: item.isCancelled,
    cancelledAt: item.cancelledAt?.toISOString() ?? null,
    cancellationReason: item.cancellationReason,
    isTest: item.isTest,
    isCancelling: item.isCancelling,
    addressee: item.addressee,
    statusAt: item.statusAt.toISOString(),
    charged: item.isCancelled ? 0 : item.charged,
    sendId: item.isTest ? null : item.id,
  };
}
