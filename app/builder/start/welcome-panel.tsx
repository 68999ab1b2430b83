import { Check, Mail } from "lucide-react";
import { PITCH, PITCH_POINTS } from "./messages";

const STEPS = ["Tested", "Mailed", "Printed", "Delivered"];

/** For somebody who is not signed in: what Mailroom is, and the page of a piece as an example. */
export function WelcomePanel() {
  return (
    <div className="grid max-w-xl gap-6 p-4 2xl:p-8">
      <div className="grid gap-3">
        <h2 className="text-title">{PITCH}</h2>
        <ul className="grid gap-1">
          {PITCH_POINTS.map((point) => (
            <li key={point} className="flex gap-2">
              <Check aria-hidden size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-ok" />
              {point}
            </li>
          ))}
        </ul>
        <p>
          <a href="/api/auth/login?returnTo=%2F" className="button button-primary">
            Log in to start
          </a>
        </p>
      </div>
      <figure className="rounded-[6px] border border-line bg-surface p-4">
        <div className="flex gap-4" aria-hidden>
          <div className="flex aspect-[6/4] w-40 shrink-0 rounded-[3px] border border-line bg-accent-wash p-2.5">
            <div className="flex-1 self-end">
              <div className="h-1.5 w-12 rounded bg-accent/50" />
              <div className="mt-1.5 h-1.5 w-16 rounded bg-accent/30" />
            </div>
            <Mail size={22} strokeWidth={1.25} className="text-accent" />
          </div>
          <div className="min-w-0">
            <p className="font-semibold text-lead">Postcard to Ana Lopez, Austin</p>
            <p className="text-dim">1 credit · mail ID 16800001</p>
            <ol className="mt-3 flex flex-wrap gap-x-3 gap-y-1">
              {STEPS.map((step) => (
                <li key={step} className="flex items-center gap-1.5 text-ok">
                  <span className="size-1.5 rounded-full bg-ok" />
                  {step}
                </li>
              ))}
            </ol>
          </div>
        </div>
        <figcaption className="mt-3 text-dim text-small">The page of a piece (example)</figcaption>
      </figure>
    </div>
  );
}
