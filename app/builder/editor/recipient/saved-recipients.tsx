import { Notice } from "~/ui/notice";
import type { Draft } from "../../draft";
import { IntentButton } from "../../intent-button";
import {
  formatFallbackUsed,
  formatLoadFailed,
  formatSearchRecipients,
  LOADING_RECIPIENTS,
  NO_RECIPIENTS,
} from "../messages";
import type { ListView } from "../use-provider-list";
import { FALLBACK_RECIPIENT } from "./fallback-recipient";
import { formatRecipient, type LoadedRecipients } from "./recipients";

/** The recipients to choose from, or why there are none. */
export function SavedRecipients({
  recipients,
  draft,
}: {
  recipients: ListView<LoadedRecipients>;
  draft: Draft;
}) {
  const { loaded, loading, reload } = recipients;
  const chosen =
    loaded?.state === "loaded"
      ? loaded.recipients.find(({ id }) => id === draft.values.recipient)
      : undefined;
  const fallback = draft.fallbackRecipient ? <> {formatFallbackUsed(FALLBACK_RECIPIENT)}</> : null;
  return (
    <div className="mt-1.5 grid gap-2" aria-live="polite">
      {/* Without JavaScript the server loads them again for the next page. */}
      {loaded?.state === "loaded" ? <input type="hidden" name="recipients_loaded" value="1" /> : null}
      {loading ? <p className="text-dim">{LOADING_RECIPIENTS}</p> : null}
      {chosen ? (
        <p>
          <strong>{formatRecipient(chosen)}</strong>{" "}
          <span className="text-dim">
            {[chosen.address1, `${chosen.state} ${chosen.postcode}`.trim(), chosen.country, `ID ${chosen.id}`]
              .filter(Boolean)
              .join(", ")}
          </span>
        </p>
      ) : null}
      {loaded?.state === "loaded" && loaded.recipients.length === 0 ? (
        <p>
          {NO_RECIPIENTS}
          {fallback}
        </p>
      ) : null}
      {loaded?.state === "loaded" && loaded.recipients.length > 0 && !chosen ? (
        <p className="text-dim">{formatSearchRecipients(loaded.recipients.length)}</p>
      ) : null}
      {loaded?.state === "failed" && !loading ? (
        <Notice tone="warn" urgent>
          {formatLoadFailed(loaded.reason)}
          {fallback} <LoadButton label="Retry" onClick={reload} />
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

/** Without JavaScript it posts the form, and the next page has the list. */
function LoadButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <IntentButton intent="load_recipients" className="link" onPress={onClick}>
      {label}
    </IntentButton>
  );
}
