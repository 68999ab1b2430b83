import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { loadEditor } from "./builder/editor/lazy-editor";
import { makePatient } from "./ui/patient-fetch";

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

window.fetch = makePatient(window.fetch.bind(window));

function Browser() {
  useEffect(() => {
    for (const name of DISCRETE_EVENTS) window.removeEventListener(name, keepFromReact, true);
  }, []);
  return <RemixBrowser />;
}

/** A page that was written with an editor is taken over when the code of the editor is there, all at once. */
async function start(): Promise<void> {
  if (document.querySelector("[data-editor]")) await loadEditor();
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
