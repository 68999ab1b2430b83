const WIDTH = 116;
const HEIGHT = 24;
const MARGIN = 2;

/** A small line chart; `label` is its text alternative. */
export function Sparkline({
  values,
  label,
  tone,
}: {
  values: readonly number[];
  label: string;
  tone: "accent" | "bad";
}) {
  const top = Math.max(...values, 1);
  const points = values.map((value, index) => {
    const x = MARGIN + (index / Math.max(values.length - 1, 1)) * (WIDTH - 2 * MARGIN);
    const y = HEIGHT - MARGIN - (value / top) * (HEIGHT - 2 * MARGIN);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg role="img" aria-label={label} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      <title>{label}</title>
      <polyline
        points={points.join(" ")}
        fill="none"
        strokeWidth="1.5"
        strokeLinejoin="round"
        className={tone === "bad" ? "stroke-live" : "stroke-accent"}
      />
    </svg>
  );
}
