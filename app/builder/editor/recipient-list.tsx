import { Notice } from "~/ui/notice";
import type { Draft } from "../draft";
import { FALLBACK_RECIPIENT, formatRecipient } from "./recipients";
import type { RecipientsView } from "./use-recipients";

/** The id of the list that the field "Existing recipient" offers. */
export const RECIPIENT_OPTIONS = "recipient-options";

/** The user's recipients to choose from, or why there are none (spec §8 Recipients). */
export function RecipientList({ recipients, draft }: { recipients: RecipientsView; draft: Draft }) {
  const { loaded, loading, reload } = recipients;
  const chosen =
    loaded?.state === "loaded"
      ? loaded.recipients.find(({ id }) => id === draft.values.recipient)
      : undefined;
  const fallback = draft.fallbackRecipient ? (
    <> Recipient {FALLBACK_RECIPIENT} stands in, in test mode only.</>
  ) : null;
  return (
    <div className="grid gap-2 px-4 pt-2" aria-live="polite">
      {loaded?.state === "loaded" ? (
        <datalist id={RECIPIENT_OPTIONS}>
          {loaded.recipients.map((recipient) => (
            <option key={recipient.id} value={recipient.id}>
              {formatRecipient(recipient)}
            </option>
          ))}
        </datalist>
      ) : null}
      {/* Has the server load them again for the page that answers a post. */}
      {loaded?.state === "loaded" ? <input type="hidden" name="recipients_loaded" value="1" /> : null}
      {loading ? <p className="text-dim">Loading recipients...</p> : null}
      {chosen ? (
        <p>
          Existing recipient: <strong>{formatRecipient(chosen)}</strong>, {chosen.address1} {chosen.postcode}{" "}
          {chosen.country}
        </p>
      ) : null}
      {loaded?.state === "loaded" && loaded.recipients.length === 0 ? (
        <p>No recipients found for this user.{fallback}</p>
      ) : null}
      {loaded?.state === "loaded" && loaded.recipients.length > 0 && !chosen ? (
        <p className="text-dim">
          {loaded.recipients.length} recipients loaded: type a name or an ID below to pick one.
        </p>
      ) : null}
      {loaded?.state === "failed" && !loading ? (
        <Notice tone="warn" urgent>
          Could not load recipients: {loaded.reason}.{fallback} <LoadButton label="Retry" onClick={reload} />
        </Notice>
      ) : null}
      {loaded === null && !loading ? (
        <p>
          <LoadButton label="Load recipients" onClick={reload} />
          {fallback}
        </p>
      ) : null}
    </div>
  );
}

/** Before JavaScript it posts the form, and the page comes back with the list. */
function LoadButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button
      type="submit"
      name="intent"
      value="load_recipients"
      className="link"
      onClick={(event) => {
        event.preventDefault();
        onClick();
      }}
    >
      {label}
    </button>
  );
}
