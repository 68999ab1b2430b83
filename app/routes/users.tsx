import type { MetaFunction } from "@remix-run/node";
import { ComingTab } from "~/ui/coming-tab";

export const meta: MetaFunction = () => [{ title: "User Credits · Mailroom" }];

export default function Tab() {
  return (
    <ComingTab title="User Credits">
      Each user's prepaid credits: balance, purchase by card, manual additions and deductions, and every
      transaction.
    </ComingTab>
  );
}
