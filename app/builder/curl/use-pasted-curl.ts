import { useState } from "react";
import type { Posted } from "../builder-view";
import type { DraftWithChoices } from "../draft";
import { CURL_UNREACHABLE } from "./messages";

/** A curl command as a draft, and what is said of it. */
interface ReadCurl {
  opened: Omit<DraftWithChoices, "userId">;
  notes: string[];
}

/** What is shown of a pasted command, and pasting one. */
export type PastedCurl = ReturnType<typeof usePastedCurl>;

/**
 * Has the server read a pasted curl command.
 * @param baseLabel the base URL for hosts that are not configured
 */
export function usePastedCurl(posted: Posted["curl"], baseLabel: string, open: (opened: ReadCurl) => void) {
  const [shown, show] = useState(posted);
  const [reading, setReading] = useState(false);
  /** True when the command is in the form now. */
  const paste = async (command: string): Promise<boolean> => {
    if (reading) return false;
    setReading(true);
    const answer = await readOnServer(command, baseLabel);
    setReading(false);
    if ("problem" in answer) show({ ...answer, command });
    else open(answer);
    return !("problem" in answer);
  };
  return { shown, show, reading, paste };
}

async function readOnServer(command: string, base: string): Promise<ReadCurl | { problem: string }> {
  try {
    const reply = await fetch("/api/curl", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ command, base }),
    });
    const answer = (await reply.json()) as ReadCurl & { error?: string };
    return reply.ok ? answer : { problem: answer.error ?? CURL_UNREACHABLE };
  } catch {
    return { problem: CURL_UNREACHABLE };
  }
}
