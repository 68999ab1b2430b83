import { SquareTerminal } from "lucide-react";
import { CURL_LABEL, CURL_PLACEHOLDER, FILL_BUILDER, PASTE_CURL } from "./messages";
import type { PastedCurl } from "./use-pasted-curl";

/** Takes a curl command, on the first screen. Without JavaScript the page comes back with the filled builder. */
export function PasteCurl({ curl }: { curl: PastedCurl }) {
  const refused = curl.shown && "problem" in curl.shown ? curl.shown.command : null;
  return (
    <details
      open={refused !== null || undefined}
      className="group/curl rounded-[6px] border border-line bg-surface sm:col-span-2"
    >
      <summary className="flex list-none items-start gap-3 rounded-[6px] p-3 hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <SquareTerminal aria-hidden size={20} strokeWidth={1.5} className="mt-0.5 shrink-0 text-accent" />
        <span>
          <strong className="block font-semibold">{PASTE_CURL.name}</strong>
          <span className="text-dim">{PASTE_CURL.about}</span>
        </span>
      </summary>
      <form
        method="post"
        action="/?index"
        className="grid gap-2 border-line border-t p-3"
        onSubmit={(event) => {
          event.preventDefault();
          void curl.paste(String(new FormData(event.currentTarget).get("curl") ?? ""));
        }}
      >
        <label htmlFor="curl">{CURL_LABEL}</label>
        <textarea
          id="curl"
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
