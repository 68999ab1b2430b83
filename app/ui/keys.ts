const NOT_TYPED = new Set("button checkbox color file image radio range reset submit".split(" "));

/** True when keys type text or choose from a list there. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const control = target.closest(
    "input, textarea, select, [contenteditable], [role=textbox], [role=combobox]",
  );
  return !(control === null || (control instanceof HTMLInputElement && NOT_TYPED.has(control.type)));
}

/** True for a single key outside of text fields and dialogs that no other handler has used. */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  if (event.defaultPrevented || isTyping(event.target)) return false;
  return document.querySelector("dialog[open]") === null;
}

/** True unless shortcuts of one key are switched off in this browser. */
export function areShortcutsOn(): boolean {
  return document.documentElement.dataset.shortcuts !== "off";
}
