import { replayAudit } from "~/audit/audit-record.server";
import { checkBulkAddresses } from "~/bulk/rows/check-addresses.server";
import { cancelBulkPieces } from "~/bulk/sending/cancel-pieces.server";
import { sendBulkRows } from "~/bulk/sending/send-rows.server";
import { recoverCheckouts } from "~/credits/purchases/complete-checkout.server";
import { checkSetup } from "~/doctor/setup-alarms.server";
import { fillSearchTexts } from "~/find/fill-search-texts.server";
import { replayRevocations } from "~/people/revoked-sessions.server";
import { applyPendingEvents } from "~/pieces/events/pending-events.server";
import { replayProviderEvents } from "~/pieces/events/provider-events.server";
import { readAnswers } from "~/pieces/item-record.server";
import { copyProviderPdfs } from "~/pieces/piece-pdf.server";
import { listCancelRecoveries } from "~/pieces/recovery/recover-cancels.server";
import { listSendRecoveries } from "~/pieces/recovery/recover-sends.server";
import { reduceRequests } from "~/pieces/send/request-body.server";
import { replayUnexpectedLive } from "~/pieces/send/unexpected-mail.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { expireData, repeatErasures } from "~/privacy/expire-data.server";
import { reconcileDaily } from "~/reconciliation/daily/daily-reconciliation.server";
import { describeResponses } from "~/responses/response-record.server";
import { storeSettledSends } from "~/responses/save/save-in-background.server";
import { learnShapes } from "~/responses/shapes/learn-shapes.server";
import { deliverWebhooks, replayWebhooks } from "~/webhooks/deliver.server";

/** Lists all background tasks. Their order does not matter. */
export function listBackgroundTasks(): readonly BackgroundTask[] {
  return [
    ...listSendRecoveries(),
    applyPendingEvents,
    storeSettledSends,
    ...listCancelRecoveries(),
    sendBulkRows(),
    cancelBulkPieces,
    checkBulkAddresses,
    deliverWebhooks,
    replayWebhooks,
    recoverCheckouts,
    copyProviderPdfs,
    reduceRequests,
    readAnswers,
    describeResponses,
    learnShapes,
    reconcileDaily,
    checkSetup,
    replayRevocations,
    replayAudit,
    replayUnexpectedLive,
    replayProviderEvents,
    expireData,
    repeatErasures,
    fillSearchTexts,
  ];
}
