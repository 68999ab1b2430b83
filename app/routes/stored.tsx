import type { MetaFunction } from "@remix-run/node";
import { ComingTab } from "~/ui/coming-tab";

export const meta: MetaFunction = () => [{ title: "Stored Responses · Mailroom" }];

export default function Tab() {
  return (
    <ComingTab title="Stored Responses">
      Responses that you and your team sent and kept: statistics, filters, search, request and answer side by
      side.
    </ComingTab>
  );
}
