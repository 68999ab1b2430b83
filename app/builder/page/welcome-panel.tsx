import { Check } from "lucide-react";

const PITCH_STEPS = [
  ["09:12", "Tested: PDF checked"],
  ["09:14", "Sent live: 1 credit"],
  ["1 day", "Printed"],
  ["3 days", "Delivered"],
] as const;

const PITCH_POINTS = [
  "What you tested is what is mailed: once, and charged once.",
  "One page shows each piece: its PDF, its way, its price.",
  "The provider's key stays on the server.",
];

export function WelcomePanel() {
  return (
    <div className="grid max-w-2xl gap-6 p-4 2xl:p-6">
      <div className="grid gap-3">
        <h2 className="text-balance text-title">
          Send postcards and letters through your provider's API, and see what became of each one.
        </h2>
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
        <div className="flex flex-wrap gap-x-6 gap-y-4" aria-hidden>
          <Postcard />
          <div className="min-w-0 flex-1 basis-52">
            <p className="font-semibold text-lead">Postcard to Ana Lopez, Austin</p>
            <p className="text-dim">1 credit · mail ID 16800001</p>
            <ol className="mt-3 ml-1 border-line border-l">
              {PITCH_STEPS.map(([when, what]) => (
                <li key={what} className="-ml-1 flex items-baseline gap-2.5 py-0.5">
                  <span className="size-2 shrink-0 rounded-full bg-ok" />
                  <span className="w-16 shrink-0 text-dim text-small tabular-nums">{when}</span>
                  {what}
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

function Postcard() {
  return (
    <svg
      aria-hidden
      width="176"
      height="148"
      viewBox="0 0 176 148"
      fill="none"
      strokeWidth="1.25"
      className="shrink-0 stroke-edge"
    >
      <rect x="37" y="55" width="138" height="92" rx="3" className="fill-paper" />
      <path d="M104 104v36M47 112h46M47 120h50M47 128h34M114 122h50M114 130h40M114 138h28" />
      <path d="M154 62h14v17h-14z" className="fill-accent-wash stroke-accent" strokeDasharray="2 1.5" />
      <g className="stroke-accent">
        <rect x="1" y="1" width="138" height="92" rx="3" className="fill-accent-wash" />
        <circle cx="98" cy="33" r="14" className="fill-surface" />
        <path d="m1 72 34-30 28 25 23-18 53 31" />
        <path d="M1 84q40-22 70-6t68-12" />
      </g>
    </svg>
  );
}
