import type Stripe from "stripe";
import type { StripeAccount } from "./account";
import { type FormTree, readText, readTexts } from "./form";
import { buildBalanceTransaction } from "./objects";
import { ApiError, type ApiReply } from "./reply";

type Row = { id: string; created: number };
/** What a property becomes when it is expanded. */
type Expand = Record<string, (row: never) => unknown>;

/** `GET /v1/charges`, `/v1/refunds` and `/v1/disputes`; null for another path. */
export function answerList(account: StripeAccount, path: string, form: FormTree): ApiReply | null {
  const chargeOf = ({ charge }: { charge: string }) => account.charges.get(charge) ?? null;
  switch (path) {
    case "/v1/charges":
      return listRows(path, [...account.charges.values()], form, {
        balance_transaction: (charge: Stripe.Charge) => buildBalanceTransaction(charge),
      });
    case "/v1/refunds":
      return listRows(path, account.refunds, form, { charge: chargeOf });
    case "/v1/disputes":
      return listRows(path, account.disputes, form, { charge: chargeOf });
    default:
      return null;
  }
}

/** One page of rows, the newest first, as every list of the API has it. */
export function listRows(
  path: string,
  rows: readonly Row[],
  form: FormTree,
  expandable: Expand = {},
): ApiReply {
  const limit = Number(readText(form, "limit") ?? 10);
  const after = readText(form, "starting_after");
  const found = rows
    .filter(({ created }) => created >= Number(readText(form, "created.gte") ?? 0))
    .filter(({ created }) => created < Number(readText(form, "created.lt") ?? Number.POSITIVE_INFINITY))
    .reverse();
  const rest = after === null ? found : found.slice(found.findIndex(({ id }) => id === after) + 1);
  const wanted = Object.values(readTexts(form, "expand")).map((name) => name.replace(/^data\./, ""));
  const data = rest.slice(0, limit).map((row) => expandRow(row, wanted, expandable));
  return { status: 200, body: { object: "list", data, has_more: rest.length > data.length, url: path } };
}

function expandRow(row: Row, wanted: string[], expandable: Expand): Record<string, unknown> {
  const shown: Record<string, unknown> = structuredClone(row);
  for (const name of wanted) {
    const expand = expandable[name] as ((row: Row) => unknown) | undefined;
    if (!expand) throw new ApiError(400, { message: `This property cannot be expanded (data.${name}).` });
    shown[name] = structuredClone(expand(row));
  }
  return shown;
}
