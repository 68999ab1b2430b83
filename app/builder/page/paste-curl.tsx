import { useId, useState } from "react";
import type { OpeningNotice, PresetDraft } from "../draft/draft";
import { postJson } from "../send/post-json";
import type { RequestState } from "./use-request";

const CURL_UNREACHABLE = "Mailroom did not answer. Check the connection and paste the command again.";

export function isCurlCommand(text: string): boolean {
  return /^\s*(?:\$\s+)?curl(?:\.exe)?\s/.test(text);
}

/** Takes a curl command. Without JavaScript the page comes back with the filled builder. */
export function PasteCurl({ curl }: { curl: PastedCurl }) {
  const id = useId();
  const { refused } = curl;
  return (
    <details open={refused !== null || undefined}>
      <summary className="button list-none [&::-webkit-details-marker]:hidden">Paste curl</summary>
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
        <p className="text-dim">Fill the builder from a command. A key in it is dropped.</p>
        <label htmlFor={id}>curl command</label>
        <textarea
          id={id}
          name="curl"
          rows={5}
          required
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          placeholder="curl https://api-us1.stannp.com/v1/recipients/list -u API_KEY:"
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
            Fill the builder
          </button>
        </p>
      </form>
    </details>
  );
}

interface ReadCurl {
  opened: PresetDraft;
  notes: string[];
}

export type PastedCurl = ReturnType<typeof usePastedCurl>;

/** Has the server read a pasted curl command. The base URL is for hosts that are not configured. */
export function usePastedCurl(
  { curl: shown, change }: RequestState,
  baseLabel: string,
  open: (opened: ReadCurl) => void,
) {
  const [reading, setReading] = useState(false);
  /** True when the command is in the form now. */
  const paste = async (command: string): Promise<boolean> => {
    if (reading) return false;
    setReading(true);
    const answer = await readOnServer(command, baseLabel);
    setReading(false);
    if ("problem" in answer) change({ type: "show", part: { curl: { ...answer, command } } });
    else open(answer);
    return !("problem" in answer);
  };
  const refused = shown && "problem" in shown ? shown.command : null;
  return { notices: shown ? [formatCurlNotice(shown)] : [], refused, reading, paste };
}

function formatCurlNotice(shown: NonNullable<RequestState["curl"]>): OpeningNotice {
  if ("problem" in shown) return { tone: "bad", title: "This command was not used.", text: shown.problem };
  const { notes } = shown;
  const title = "The curl command filled the builder. Nothing was sent.";
  return { tone: notes.length > 0 ? "warn" : "info", title, notes };
}

async function readOnServer(command: string, base: string): Promise<ReadCurl | { problem: string }> {
  try {
    const reply = await postJson("/api/curl", { command, base });
    const answer = (await reply.json()) as ReadCurl & { error?: string };
    return reply.ok ? answer : { problem: answer.error ?? CURL_UNREACHABLE };
  } catch {
    return { problem: CURL_UNREACHABLE };
  }
}
