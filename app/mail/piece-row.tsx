import { Link } from "@remix-run/react";
import { FileText, Mail } from "lucide-react";
import { Badge } from "~/ui/badge";
import { Absent } from "~/ui/fact";
import { Moment } from "~/ui/moment";
import { formatPlaceAndUser } from "./mail-view";
import type { ItemRow } from "./piece-rows.server";
import { PieceStatusBadge } from "./piece-status-badge";
import { RowMenu } from "./row-menu";

/** The form that the check boxes of the list belong to. */
export const CHOSEN_FORM = "chosen";

const TYPES = { letter: "Letter", postcard: "Postcard" };

/** Draws the icons of the types once; each row refers to them. */
export function TypeIcons() {
  return (
    <svg aria-hidden className="hidden">
      <FileText id="icon-letter" size={16} strokeWidth={1.5} />
      <Mail id="icon-postcard" size={16} strokeWidth={1.5} />
    </svg>
  );
}

/** Shows one piece as a row, or as a card on a small screen. All of it links to the page of the piece. */
export function PieceRow({ item, chosen, search }: { item: ItemRow; chosen: boolean; search: string }) {
  const name = item.addressee ?? "not named";
  const shown = item.addressee ?? <Absent why="not named" />;
  return (
    <tr
      data-row
      className="relative border-line border-b hover:bg-sunken has-[[name=item]:checked]:bg-accent-wash max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-3 max-sm:py-2 max-sm:pl-9 has-[details[open]]:z-20"
    >
      <td className="w-9 py-2 pl-2 max-sm:-ml-9 max-sm:w-6 max-sm:py-0">
        <input
          type="checkbox"
          name="item"
          value={item.id}
          form={CHOSEN_FORM}
          defaultChecked={chosen}
          aria-label={`Choose the ${item.type} to ${name}`}
          className="relative z-10 block size-4"
        />
      </td>
      <td className="min-w-[10rem] max-w-[28rem] py-1.5 pr-5 pl-2 [overflow-wrap:anywhere] max-sm:min-w-0 max-sm:flex-1 max-sm:basis-[calc(100%-7rem)] max-sm:p-0">
        {item.isTest ? (
          <span className="font-medium">{shown}</span>
        ) : (
          <Link to={`/sends/${item.id}`} className="font-medium after:absolute after:inset-0 hover:underline">
            {shown}
          </Link>
        )}
        {item.place || item.user ? <span className="block text-dim">{formatPlaceAndUser(item)}</span> : null}
      </td>
      <td className="whitespace-nowrap py-1.5 pr-5 pl-2 max-sm:order-1 max-sm:p-0">
        <span className="flex items-center gap-2">
          <svg aria-hidden width="16" height="16" className="shrink-0 text-dim">
            <use href={`#icon-${item.type}`} />
          </svg>
          {TYPES[item.type]}
        </span>
      </td>
      <td className="py-1.5 pr-5 pl-2 max-sm:order-2 max-sm:p-0">
        <span className="flex flex-wrap items-center gap-1.5" title={item.meaning}>
          <PieceStatusBadge status={item.status} tone={item.tone} />
          {item.isTest ? <Badge tone="neutral">Test Item</Badge> : null}
          {item.hasAlarm ? <Badge tone="warn">alarm</Badge> : null}
        </span>
        {item.isCancelled ? (
          <span className="block text-dim text-small">
            <Moment at={item.cancelledAt} />
            {item.cancellationReason ? `, ${item.cancellationReason}` : ""}
          </span>
        ) : null}
      </td>
      <td className="py-1.5 pr-5 pl-2 text-dim max-sm:order-3 max-sm:p-0">
        <Moment at={item.createdAt} />
      </td>
      <td className="whitespace-nowrap py-1.5 pr-5 pl-2 text-right tabular-nums max-sm:order-4 max-sm:ml-auto max-sm:p-0 max-sm:pr-2">
        {item.credits}
        {item.isHeld ? null : <span className="text-dim sm:hidden"> cr.</span>}
      </td>
      <td className="w-10 py-1 pr-1 max-sm:w-auto max-sm:p-0">
        <RowMenu item={item} search={search} />
      </td>
    </tr>
  );
}
