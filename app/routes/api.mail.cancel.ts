import type { ActionFunctionArgs } from "@remix-run/node";
import { parseCancelOrder } from "~/mail/mail.schema.server";
import { requireJson } from "~/people/check-request.server";
import { cancelMail } from "~/pieces/cancel/cancel-mail.server";
import { toWireCancel } from "~/pieces/cancel/cancel-settle.server";
import { replyJson, requireValue } from "~/platform/http/replies.server";

/** Cancels and refunds a mail item: 200 when cancelled, 202 with `pending: true` until the provider confirms it. */
export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const { viewer, body } = await requireJson({ request, context });
  const order = requireValue(parseCancelOrder(body));
  const cancelled = requireValue(await cancelMail(order, viewer));
  return replyJson(toWireCancel(cancelled), cancelled.kind === "pending" ? 202 : 200);
}
