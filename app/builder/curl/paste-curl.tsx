import { useId } from "react";
import { CURL_LABEL, CURL_PLACEHOLDER, FILL_BUILDER, PASTE_CURL } from "./messages";
import type { PastedCurl } from "./use-pasted-curl";

/** Takes a curl command. Without JavaScript the page comes back with the filled builder. */
export function PasteCurl({ curl }: { curl: PastedCurl }) {
  const id = useId();
  const refused = curl.shown && "problem" in curl.shown ? curl.shown.command : null;
  return (
    <details open={refused !== null || undefined}>
      <summary className="button list-none [&::-webkit-details-marker]:hidden">{PASTE_CURL.name}</summary>
      <form
        method="post"
        action="/?index"
        className="absolute top-full left-3 z-20 grid w-[min(34rem,calc(100vw-1.5rem))] gap-2 rounded-[6px] border border-edge bg-surface p-3 shadow-lg"
        onSubmit={(event) => {
          event.preventDefault();
          const place = event.currentTarget.closest("details");
          const command = String(new FormData(event.currentTarget).get("curl") ?? "");
          void curl.paste(command).then((taken) => {
            if (taken && place) place.open = false;
          });
        }}
      >
        <p className="text-dim">{PASTE_CURL.about}</p>
        <label htmlFor={id}>{CURL_LABEL}</label>
        <textarea
          id={id}
          name="curl"
          rows={5}
          required
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          placeholder={CURL_PLACEHOLDER}
          defaultValue={refused ?? ""}
          className="control wire leading-5"
        />
        <p>
          <button
            type="submit"
            name="intent"
            value="paste_curl"
            className="button"
            aria-disabled={curl.reading || undefined}
          >
            {FILL_BUILDER}
          </button>
        </p>
      </form>
    </details>
  );
}
