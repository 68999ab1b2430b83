import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition, useLayoutEffect, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { makePageFetch } from "./ui/page-fetch";

/** Export `handle` of a route. */
export interface RouteHandle {
  /** Loads code that only this page needs. False leaves the page as the server sent it. */
  prepare?: () => Promise<boolean>;
}

/** Events for which React would hydrate the page synchronously. */
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
 * Hides events from React until hydration, while links and forms work as without JavaScript. An event would make React hydrate
 * synchronously, which fails permanently while Remix still waits for its data.
 */
function keepFromReact(event: Event): void {
  event.stopPropagation();
  if (event.target instanceof HTMLTextAreaElement) noteTyped(event.target);
}

/** Stores what was typed, because hydration resets a textarea to the server's text. */
function noteTyped(area: HTMLTextAreaElement): void {
  if (area.value !== area.defaultValue) area.dataset.typed = area.value;
}

for (const area of document.querySelectorAll("textarea")) noteTyped(area);
for (const name of DISCRETE_EVENTS) window.addEventListener(name, keepFromReact, true);

window.fetch = makePageFetch(window.fetch.bind(window));

const page = <RemixBrowser />;

function Browser() {
  const [taken, take] = useState(false);
  // An immediate second render makes React run all first effects in the task of the hydration, so that no event can occur
  // between `useTakeOver` and React's first event.
  useLayoutEffect(() => {
    take(true);
    if (taken) for (const name of DISCRETE_EVENTS) window.removeEventListener(name, keepFromReact, true);
  }, [taken]);
  return page;
}

declare global {
  interface Window {
    /** Routes of the page, set by Remix. */
    __remixRouteModules: Record<string, { handle?: unknown }>;
  }
}

/** Hydrates the page when all its code is loaded, including `handle.prepare`; else it works as without JavaScript. */
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
  const { requestIdleCallback: whenIdle = setTimeout } = window;
  whenIdle(() => import("./ui/early-page").then(({ loadPagesEarly }) => loadPagesEarly()).catch(() => {}));
}

void start();
