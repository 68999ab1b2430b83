import { Link } from "@remix-run/react";
import { HOW_OFTEN_TRIED } from "~/webhooks/messages";
import type { ReferenceEvent } from "./reference-view";

/** What Mailroom posts to a receiver, and how the receiver checks it. */
export function WebhooksReference({ events }: { events: ReferenceEvent[] }) {
  return (
    <section aria-labelledby="webhooks" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="webhooks" className="scroll-mt-4 border-line border-b pb-1">
        Events sent to you
      </h2>
      <div className="grid max-w-prose gap-2">
        <p>
          Add an endpoint under{" "}
          <Link to="/webhooks" className="link">
            Webhooks
          </Link>
          . Requests are signed by the{" "}
          <a href="https://www.standardwebhooks.com" className="link" rel="noreferrer">
            Standard Webhooks
          </a>{" "}
          scheme: verify <code className="wire">webhook-id</code>,{" "}
          <code className="wire">webhook-timestamp</code> and <code className="wire">webhook-signature</code>{" "}
          with one of its libraries and your secret.
        </p>
        <p>
          Answer with 2xx within 15 seconds. Anything else is tried again, {HOW_OFTEN_TRIED}. An event may
          arrive twice or out of order: <code className="wire">webhook-id</code> stays the same, and{" "}
          <code className="wire">timestamp</code> says when it happened. Answer 410 to get no more.
        </p>
      </div>
      {events.map(({ type, about, sample }) => (
        <article
          key={type}
          aria-labelledby={`event-${type}`}
          className="grid grid-cols-[minmax(0,1fr)] gap-1"
        >
          <h3 id={`event-${type}`} className="wire">
            {type}
          </h3>
          <p>{about}</p>
          <details>
            <summary>Example body</summary>
            <pre className="wire scrolls mt-1 rounded-[6px] border border-line bg-surface p-3">{sample}</pre>
          </details>
        </article>
      ))}
    </section>
  );
}
