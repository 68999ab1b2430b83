import type { MetaFunction } from "@remix-run/node";
import { ComingTab } from "~/ui/coming-tab";

export const meta: MetaFunction = () => [{ title: "Mail Management · Mailroom" }];

export default function Tab() {
  return (
    <ComingTab title="Mail Management">
      The letters, postcards and recipients of each user, with cancelling, which refunds credits.
    </ComingTab>
  );
}
