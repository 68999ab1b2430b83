import { useFetcher } from "@remix-run/react";
import { X } from "lucide-react";

/** Greets the signed-in person until they close it for good. */
export function WelcomeLine({ welcome, action }: { welcome: string; action: string }) {
  const closing = useFetcher();
  if (closing.state !== "idle") return null;
  return (
    <form
      method="post"
      action="/preferences"
      className="flex items-center justify-between gap-3 border-line border-b px-4 py-1 text-dim"
      onSubmit={(event) => {
        event.preventDefault();
        // Offline Remix cannot load the route's script, and reloads the page.
        if (navigator.onLine)
          closing.submit({ welcome: "closed" }, { method: "post", action: "/preferences" });
      }}
    >
      <p>{welcome}</p>
      <input type="hidden" name="returnTo" value={action} />
      <button name="welcome" value="closed" type="submit" className="p-1 hover:text-ink" title="Close">
        <X aria-hidden size={14} strokeWidth={1.75} />
        <span className="sr-only">Close the welcome</span>
      </button>
    </form>
  );
}
