import { sendBulkRows } from "~/bulk/sending/send-rows.server";
import { recoverCheckouts } from "~/credits/purchases/complete-checkout.server";
import { resetPaces } from "~/outside/mail-provider/call/pace.server";
import { applyPendingEvents } from "~/pieces/events/pending-events.server";
import { listCancelRecoveries } from "~/pieces/recovery/recover-cancels.server";
import { listSendRecoveries } from "~/pieces/recovery/recover-sends.server";
import { env } from "~/platform/env.server";
import { storeSettledSends } from "~/responses/save/save-in-background.server";
import { type GatedRoute, gateRoute, serve } from "../console/gated-route";
import { drain, drainAll } from "../drain";

/**
 * The console's money routes in their own process. Background work runs only on request: `POST /tasks/<name>` runs
 * one task until nothing is due. Listens on `PORT`.
 */
const ROUTES: [RegExp, GatedRoute][] = [
  [/^\/$/, await gateRoute("routes/_index", import("~/routes/_index"))],
  [/^\/api\/stannp$/, await gateRoute("routes/api.stannp", import("~/routes/api.stannp"))],
  [
    /^\/api\/stannp\/webhook$/,
    await gateRoute("routes/api.stannp.webhook", import("~/routes/api.stannp.webhook")),
  ],
  [/^\/api\/mail\/cancel$/, await gateRoute("routes/api.mail.cancel", import("~/routes/api.mail.cancel"))],
  [/^\/api\/credits$/, await gateRoute("routes/api.credits", import("~/routes/api.credits"))],
  [
    /^\/api\/stripe\/create-checkout$/,
    await gateRoute("routes/api.stripe.create-checkout", import("~/routes/api.stripe.create-checkout")),
  ],
  [
    /^\/api\/stripe\/webhook$/,
    await gateRoute("routes/api.stripe.webhook", import("~/routes/api.stripe.webhook")),
  ],
  [/^\/bulk\/(?<id>[\w-]+)$/, await gateRoute("routes/bulk_.$id", import("~/routes/bulk_.$id"))],
  [/^\/sends\/(?<id>[\w-]+)$/, await gateRoute("routes/sends.$id", import("~/routes/sends.$id"))],
];

const TASKS: Record<string, () => Promise<number>> = {
  sends: () => drainAll(listSendRecoveries()),
  cancels: () => drainAll(listCancelRecoveries()),
  rows: () => drain(sendBulkRows()),
  checkouts: () => drain(recoverCheckouts),
  events: () => drain(applyPendingEvents),
  responses: () => drain(storeSettledSends),
  all: async () => {
    let claimed = 0;
    for (const [name, run] of Object.entries(TASKS)) if (name !== "all") claimed += await run();
    return claimed;
  },
};

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const task = TASKS[pathname.replace("/tasks/", "")];
  if (task) {
    // An earlier fault of the provider must not delay the task.
    resetPaces();
    return Response.json(await task());
  }
  for (const [pattern, route] of ROUTES) {
    const params = pattern.exec(pathname);
    if (params) return route(request, { ...params.groups });
  }
  return new Response(null, { status: 404 });
}

await serve(answer, env().port);
process.stdout.write("listening\n");
