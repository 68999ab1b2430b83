import { Notice } from "~/ui/notice";
import type { BodiesState } from "./use-bodies";
import { Value } from "./value";

/** Request and response of a stored response, side by side where there is room. */
export function Bodies({ shown, about }: { shown: BodiesState; about: string }) {
  if (shown.state === "waiting") {
    return (
      <p role="status" className="py-2 text-dim">
        Loading request and response...
      </p>
    );
  }
  if (shown.state === "failed") {
    return (
      <Notice tone="bad" urgent>
        {shown.message}
      </Notice>
    );
  }
  return (
    <div className="appears grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
      <Body title="Request" about={about} value={shown.bodies.request} />
      <Body title="Response" about={about} value={shown.bodies.response} />
    </div>
  );
}

function Body({ title, about, value }: { title: string; about: string; value: unknown }) {
  return (
    <section aria-label={`${title} of ${about}`} className="min-w-0">
      <h3 className="pb-1 text-dim">{title}</h3>
      <div className="overflow-x-clip bg-sunken">
        <Value label={title} value={value} />
      </div>
    </section>
  );
}
