/** Rules of shortcuts of one key: they never take what is typed, nor a key that a control needs. */

const NOT_TYPED = new Set([
  "button",
  "checkbox",
  "color",
  "file",
  "image",
  "radio",
  "range",
  "reset",
  "submit",
]);

/** True when a key that is pressed there is text, or chooses from a list. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const control = target.closest(
    "input, textarea, select, [contenteditable], [role=textbox], [role=combobox]",
  );
  return !(control === null || (control instanceof HTMLInputElement && NOT_TYPED.has(control.type)));
}

/** True for one key alone, outside of text fields and dialogs, that no other handler has used. */
export function isShortcut(event: KeyboardEvent): boolean {
  return !(
    event.defaultPrevented ||
    event.isComposing ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    isTyping(event.target) ||
    document.querySelector("dialog[open]") !== null
  );
}

/** True when the person who uses this browser has shortcuts of one key: they can be switched off. */
export function areShortcutsOn(): boolean {
  return document.documentElement.dataset.shortcuts !== "off";
}
