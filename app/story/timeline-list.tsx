import { Moment } from "~/ui/moment";
import type { StoryEvent } from "./story";

const DOTS = { plain: "bg-accent", ok: "bg-ok", warn: "bg-warn", bad: "bg-live" };

/** Everything that happened to a piece, oldest first. */
export function TimelineList({ events }: { events: StoryEvent[] }) {
  return (
    <section aria-labelledby="story-events">
      <h2 id="story-events" className="mb-3">
        What happened
      </h2>
      <ol className="ml-1 grid gap-3 border-line border-l pl-4">
        {events.map((event) => (
          <li key={`${event.at.iso} ${event.text} ${event.by}`} className="relative">
            <span
              aria-hidden
              className={`left-[calc(-1rem-5px)] absolute top-1.5 size-[9px] rounded-full ${DOTS[event.tone]}`}
            />
            <p className="[overflow-wrap:anywhere]">{event.text}</p>
            <p className="text-dim">
              <Moment at={event.at} absolute />
              {event.by ? ` · ${event.by}` : ""}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
