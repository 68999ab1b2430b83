import { useEffect, useState } from "react";

const TICK_MS = 100;

/** How long a send has been in progress. */
export function Elapsed({ about, startedAt }: { about: string; startedAt: number }) {
  const [now, setNow] = useState(startedAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="p-4">
      <p className="wire mb-2 truncate text-dim">{about}</p>
      <p role="status" className="mb-2">
        Waiting for the provider…
      </p>
      <p aria-hidden className="text-dim tabular-nums">
        {((now - startedAt) / 1000).toFixed(1)} s
      </p>
      <progress aria-label="Waiting for the provider" className="mt-2 h-1 w-full accent-accent" />
    </div>
  );
}
