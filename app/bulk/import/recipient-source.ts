import { succeed } from "~/platform/outcome";
import { RECIPIENT_FIELDS, type RecipientField } from "../columns";
import type { ListSource } from "./import-list.server";
import { ONE_RECIPIENT } from "./messages";

/** One recipient as a list of one row. @param details by their names in a request; others are dropped */
export function recipientSource(details: Readonly<Record<string, unknown>>): ListSource {
  const given = (Object.entries(RECIPIENT_FIELDS) as [RecipientField, string][]).flatMap(
    ([field, column]) => {
      const value = details[field];
      return typeof value === "string" && value !== "" ? [{ column, value }] : [];
    },
  );
  return {
    name: ONE_RECIPIENT,
    size: 1,
    async parse({ onHeader, onRows }) {
      onHeader(given.map(({ column }) => column));
      const taken = await onRows([{ number: 2, cells: given.map(({ value }) => value) }], 1);
      return taken.ok ? succeed(1) : taken;
    },
  };
}
