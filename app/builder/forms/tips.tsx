import type { MailKind } from "../draft/draft";
import { TIPS } from "./messages";

/** The Tips & Guide tab of a mail form. */
export function Tips({ kind }: { kind: MailKind }) {
  return (
    <ul className="grid list-disc gap-2 p-4 pl-8">
      {TIPS[kind].map((tip) => (
        <li key={tip}>{tip}</li>
      ))}
    </ul>
  );
}
