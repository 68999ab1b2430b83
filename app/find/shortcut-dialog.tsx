import { useEffect, useRef } from "react";
import { ShortcutList } from "./shortcut-list";

/** All shortcuts over the page. A chunk of its own. */
export function ShortcutDialog({ on, onClose }: { on: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    // In development React runs an effect twice.
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="shortcut-title" onClose={onClose} className="palette">
      <div className="grid max-h-[80vh] gap-3 overflow-y-auto p-4">
        <div className="flex items-center justify-between gap-3">
          <h2 id="shortcut-title" className="text-lead">
            Keyboard shortcuts
          </h2>
          <button type="button" onClick={onClose} className="button button-quiet">
            Close
          </button>
        </div>
        <ShortcutList on={on} />
      </div>
    </dialog>
  );
}
