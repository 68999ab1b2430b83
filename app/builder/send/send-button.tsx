import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { MAIL_PRICES } from "~/catalogue/prices";
import type { PresetCall } from "~/catalogue/types";
import { formatCredits } from "~/credits/format-credits";
import { parseDetails, parseInlineRecipient } from "~/outside/mail-provider/request-fields";
import type { MailType } from "~/pieces/mail-type";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { parseRecord } from "~/platform/json-value";
import { Badge } from "~/ui/badge";
import type { Draft } from "../draft/draft";
import type { ListedRecipient } from "../draft/recipients";
import { buildBody, hasInvalidBody } from "../draft/request";
import { FORM_ID } from "../forms/form-context";

interface SendButtonProps {
  /** Label of the button when nothing live is sent. */
  word: string;
  block: string | null;
  loading: boolean;
  signedIn: boolean;
  primary: boolean;
  sendingLive: boolean;
  /** Piece, recipient and price of live mail; null for every other call. */
  liveSend: string | null;
  onStop: () => void;
}

/** Sends the Builder's form, or stops the send in progress. Signed out it leads to the login. */
export function SendButton(props: SendButtonProps) {
  const { word, block, loading, signedIn, primary, sendingLive, liveSend, onStop } = props;
  const { pathname, search } = useLocation();
  const button = useRef<HTMLButtonElement>(null);
  const wasLoading = useRef(loading);
  // Send and Stop replace each other: the keyboard focus moves to the new button.
  useEffect(() => {
    if (wasLoading.current === loading) return;
    wasLoading.current = loading;
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, [loading]);
  if (loading) {
    return (
      <>
        {sendingLive ? <Badge tone="bad">Sending LIVE</Badge> : null}
        {/* The keys differ: if React reused the element as the Send button within one click, it would submit the form. */}
        <button key="stop" ref={button} type="button" className="button max-sm:order-5" onClick={onStop}>
          Stop
        </button>
      </>
    );
  }
  if (!signedIn) {
    return (
      <a
        href={`/api/auth/login?${new URLSearchParams({ returnTo: pathname + search })}`}
        className="button button-primary max-sm:order-5 max-sm:grow"
      >
        Log in to send
      </a>
    );
  }
  const live = liveSend !== null;
  return (
    <button
      key="send"
      ref={button}
      form={FORM_ID}
      type="submit"
      name="intent"
      value="send"
      className={`button max-sm:order-5 ${live ? "button-live whitespace-normal! max-sm:w-full" : `${primary ? "button-primary" : ""} max-sm:grow`}`}
      disabled={block !== null}
      title={block ?? undefined}
      aria-keyshortcuts={live ? undefined : "Control+Enter"}
    >
      <span className="min-w-0 [overflow-wrap:anywhere]">{live ? `Send LIVE: ${liveSend}` : word}</span>
      {live ? null : (
        <kbd
          aria-hidden
          className="invisible whitespace-nowrap font-normal text-[11px] opacity-70 in-data-[script=ready]:visible max-sm:hidden"
        >
          Ctrl ↵
        </kbd>
      )}
    </button>
  );
}

const MAX_NAME_CHARS = 24;

/** "postcard 4x6 to J. Smith, Leeds", "letter, 2 pages, to recipient 1941"; `listed` are the loaded recipients. */
export function formatPiece(
  mailType: MailType,
  draft: Draft,
  call: PresetCall,
  listed: readonly ListedRecipient[],
): string {
  const fields = hasInvalidBody(draft) ? {} : parseRecord(buildBody(draft, call, true));
  const facts = draft.body === null ? draft.files.file?.facts : undefined;
  const pages = mailType === "letter" && facts?.kind === "pdf" ? facts.pages : undefined;
  const name =
    mailType === "postcard"
      ? `postcard ${fields.size ?? ""}`.trim()
      : pages === undefined
        ? "letter"
        : `letter, ${formatCount(pages, "page")}`;
  const addressee = formatAddressee(fields, listed);
  return addressee === "" ? name : `${name}${pages === undefined ? "" : ","} to ${addressee}`;
}

function formatAddressee(fields: Record<string, unknown>, listed: readonly ListedRecipient[]): string {
  const typed = formatShortName(parseDetails(parseInlineRecipient(fields)));
  const id = typeof fields.recipient === "object" ? "" : String(fields.recipient ?? "").trim();
  if (typed !== "" || id === "") return typed;
  const known = listed.find((recipient) => recipient.id === id);
  return (known && formatShortName({ ...known })) || `recipient ${shorten(id)}`;
}

/** "J. Smith, Leeds" */
function formatShortName(details: Record<string, string>): string {
  const { firstname = "", lastname = "", company = "", city = "" } = details;
  const initial = [...firstname][0];
  const person = initial && lastname ? `${initial}. ${lastname}` : lastname || firstname;
  const name = shorten(person || company);
  return name !== "" && city !== "" ? `${name}, ${shorten(city)}` : name;
}

function shorten(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_NAME_CHARS) return text;
  const start = characters.slice(0, MAX_NAME_CHARS - 1).join("");
  return `${start.trimEnd()}…`;
}

/** "postcard 4x6 to J. Smith, Leeds: 1 credit, leaves 40"; `available` in credits, null when it is not known. */
export function formatLiveSend(piece: string, mailType: MailType, available: number | null): string {
  return `${piece}: ${formatPrice(MAIL_PRICES[mailType], available)}`;
}

/** "1 credit, leaves 40" */
export function formatPrice(price: number, available: number | null): string {
  const cost = formatCredits(price);
  if (available === null) return cost;
  return available >= price
    ? `${cost}, leaves ${formatInteger(available - price)}`
    : `${cost}, ${formatInteger(available)} available`;
}
