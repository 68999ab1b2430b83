/** One bar: a value for each series, and its text. */
export interface Bar {
  key: string;
  values: readonly number[];
  title: string;
}

const STEP = 10;
const BAR = 7;
const HEIGHT = 72;
/** The tones differ in lightness, so that they can be told apart without colour. */
const TONES = {
  accent: { fill: "fill-accent", key: "bg-accent" },
  pale: { fill: "fill-accent/45", key: "bg-accent/45" },
  warn: { fill: "fill-warn/70", key: "bg-warn/70" },
  bad: { fill: "fill-live", key: "bg-live" },
  none: { fill: "fill-edge", key: "bg-edge" },
};

/** A series, from the bottom of the bars up. */
export interface Series {
  name: string;
  tone: keyof typeof TONES;
}

/** A stacked bar chart with a key; `label` is its text alternative. */
export function StackedBars({
  label,
  series,
  bars,
  start,
  end,
}: {
  label: string;
  series: readonly Series[];
  bars: readonly Bar[];
  /** Labels below the first and the last bar. */
  start: string;
  end: string;
}) {
  const top = Math.max(1, ...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  return (
    <div>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-[72px] w-full border-edge border-b"
      >
        {bars.map((bar, index) => (
          <g key={bar.key}>
            <title>{bar.title}</title>
            <rect x={index * STEP} y={0} width={STEP} height={HEIGHT} className="fill-transparent" />
            {stack(bar.values, top).map(({ y, height, order }) => (
              <rect
                key={order}
                x={index * STEP + (STEP - BAR) / 2}
                y={y}
                width={BAR}
                height={height}
                className={TONES[series[order]?.tone ?? "none"].fill}
              />
            ))}
          </g>
        ))}
      </svg>
      <div className="flex justify-between text-small text-dim">
        <span>{start}</span>
        <span>{end}</span>
      </div>
      <ul aria-label="Key" className="flex flex-wrap gap-x-3 text-dim">
        {series.map(({ name, tone }) => (
          <li key={name} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2.5 ${TONES[tone].key}`} />
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

function stack(values: readonly number[], top: number): { y: number; height: number; order: number }[] {
  let foot = HEIGHT;
  return values.map((value, order) => {
    const height = (Math.max(value, 0) / top) * HEIGHT;
    foot -= height;
    return { y: foot, height, order };
  });
}
