import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition, useLayoutEffect, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { loadPagesEarly } from "./ui/early-page";
import { makePageFetch } from "./ui/page-fetch";

/** What a route may export as `handle`. */
export interface RouteHandle {
  /** Loads what this page shows beside what every page of the route needs. False: leave it as the server sent it. */
  prepare?: () => Promise<boolean>;
}

/** The events for which React would take the page over at once, in one go. */
const DISCRETE_EVENTS = [
  "beforeinput",
  "change",
  "click",
  "dblclick",
  "focusin",
  "focusout",
  "input",
  "keydown",
  "keypress",
  "keyup",
  "mousedown",
  "mouseup",
  "pointerdown",
  "pointerup",
  "reset",
  "submit",
  "touchend",
  "touchstart",
];

/**
 * Until React has taken the page over, links and forms act by themselves and React hears nothing: such an
 * event would have it hydrate synchronously, which fails for good while Remix still waits for its data.
 */
function keepFromReact(event: Event): void {
  event.stopPropagation();
  if (event.target instanceof HTMLTextAreaElement) noteTyped(event.target);
}

/** React puts the server's text back into a textarea it takes over; what was typed waits beside it. */
function noteTyped(area: HTMLTextAreaElement): void {
  if (area.value !== area.defaultValue) area.dataset.typed = area.value;
}

for (const area of document.querySelectorAll("textarea")) noteTyped(area);
for (const name of DISCRETE_EVENTS) window.addEventListener(name, keepFromReact, true);

const send = window.fetch.bind(window);
window.fetch = makePageFetch(send);
loadPagesEarly(send);

const page = <RemixBrowser />;

function Browser() {
  const [taken, take] = useState(false);
  // A second render at once makes React run all first effects in the task in which it takes the page over. So no event
  // can come after `useTakeOver` has read what was entered and before React receives events.
  useLayoutEffect(() => {
    take(true);
    if (taken) for (const name of DISCRETE_EVENTS) window.removeEventListener(name, keepFromReact, true);
  }, [taken]);
  return page;
}

declare global {
  interface Window {
    /** The routes of the page, by Remix. */
    __remixRouteModules: Record<string, { handle?: unknown }>;
  }
}

/**
 * A page is taken over when the code is there that wrote it, all at once: a route's `handle.prepare` loads more of it.
 * Where that fails the page goes on acting as without JavaScript.
 */
async function start(): Promise<void> {
  const handles = Object.values(window.__remixRouteModules).map(
    ({ handle }) => handle as RouteHandle | undefined,
  );
  const prepared = await Promise.all(handles.map((handle) => handle?.prepare?.() ?? true));
  if (prepared.includes(false)) return;
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <Browser />
      </StrictMode>,
    );
  });
}

void start();
