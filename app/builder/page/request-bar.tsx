import { type ReactNode, useEffect, useRef } from "react";
import { CUSTOM, type Method } from "~/catalogue/types";
import { METHODS } from "../draft/draft";
import { isCurlCommand } from "./paste-curl";
import type { BuilderParts } from "./use-builder";

interface RequestBarProps {
  builder: BuilderParts;
  block: string | null;
  signedIn: boolean;
  modeSwitch: ReactNode;
  sendButton: ReactNode;
}

/** Method and address, and the send button where no bar below has it. */
export function RequestBar({ builder, block, signedIn, modeSwitch, sendButton }: RequestBarProps) {
  const { request, opening } = builder;
  const { base } = builder.choices;
  const { draft, presetKey, change, readPath } = request;
  const path = useRef<HTMLInputElement>(null);
  // A new request begins with its path.
  useEffect(() => {
    if (presetKey.startsWith(`${CUSTOM.id} `) && path.current?.value === "") path.current.focus();
  }, [presetKey]);
  return (
    <div className="sticky top-1.5 z-10 flex flex-wrap items-center gap-2 bg-paper px-4 py-2.5">
      {/* Enter in a field presses the first button of a form: it sends, but never live mail. */}
      {signedIn ? (
        <button
          type="submit"
          name="intent"
          value={request.liveMailType === null ? "send" : "update"}
          disabled={block !== null}
          tabIndex={-1}
          aria-hidden
          className="sr-only"
        />
      ) : null}
      <select
        name="method"
        aria-label="Method"
        className="control wire w-24! font-semibold"
        value={draft.method}
        onChange={(event) => change({ type: "set", part: { method: event.target.value as Method } })}
      >
        {METHODS.map((method) => (
          <option key={method}>{method}</option>
        ))}
      </select>
      <div className="control wire flex min-w-48 flex-1 items-center py-0! focus-within:outline-2 focus-within:outline-accent">
        <span className="min-w-0 truncate text-dim" title={base.url}>
          {base.url.replace(/^https?:\/\//, "")}/
        </span>
        <input
          name="path"
          aria-label="Path"
          ref={path}
          placeholder="path, address or curl"
          className="min-w-[60%] flex-1 self-stretch bg-transparent outline-none"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          value={draft.path}
          onChange={(event) => change({ type: "set", part: { path: event.target.value } })}
          onPaste={(event) => {
            const text = event.clipboardData.getData("text");
            if (signedIn && isCurlCommand(text)) void opening.curl.paste(text);
            else if (/^\s*https?:\/\//i.test(text)) readPath(text);
            else return;
            event.preventDefault();
          }}
          onBlur={() => readPath(draft.path)}
          onKeyDown={({ key }) => key === "Enter" && readPath(draft.path)}
        />
        {base.appendJson ? <span className="text-dim">.json</span> : null}
      </div>
      {modeSwitch}
      {sendButton}
    </div>
  );
}
