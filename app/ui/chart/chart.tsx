import { useId } from "react";
import { NUMERIC, Row, Table } from "../list/table";
import { useOpen } from "../use-open";

/** Pixels from the top to the base line. */
export const PLOT_HEIGHT = 150;

/** Tones of different lightness, so that they differ without colour. */
type ChartTone = "accent" | "pale" | "warn" | "bad" | "none" | "ink";

interface PlotPoint {
  key: string;
  title: string;
  x: number;
  /** Text below the base line; null for none. */
  label: string | null;
  /** Heights of the series: the top of each part of a bar, or the points of lines, with gaps at missing values. */
  ys: (number | null)[];
}

/** A chart as the server draws it: across in percent of its width, down in pixels. */
export interface ChartView {
  question: string;
  /** One or two sentences, which screen readers read instead of the drawing. */
  answer: string;
  kind: "bars" | "lines";
  series: readonly { name: string; tone: ChartTone }[];
  /** Marks of the vertical axis. */
  ticks: { y: number; label: string }[];
  points: PlotPoint[];
  /** Values as a table. The first cell names its row, the others are numbers. */
  table: { label: string; heads: readonly string[]; rows: (readonly string[])[] };
}

const LABEL_HEIGHT = 20;
const BAR = 0.7;
/** Each drawn part takes the colour of the text. */
const TONES: Record<ChartTone, string> = {
  accent: "text-accent",
  pale: "text-accent/45",
  warn: "text-warn/70",
  bad: "text-live",
  none: "text-edge",
  ink: "text-ink",
};

/**
 * A chart under its question, with the answer in a sentence and the values as a table. It is drawn on the server by
 * `drawChart`, so it works without JavaScript. A chart without values is not drawn.
 */
export function Chart(view: ChartView) {
  const { question, answer, kind, series, ticks, points, table } = view;
  const id = useId();
  const isEmpty = points.every(({ ys }) =>
    ys.every((y) => y === null || (kind === "bars" && y === PLOT_HEIGHT)),
  );
  return (
    <section aria-labelledby={`${id}h`} className="min-w-0">
      {/* One element, because Insights aligns it with the others of a row. */}
      <div>
        <h2 id={`${id}h`}>{question}</h2>
        <p className="mt-1 mb-2 text-dim">{answer}</p>
      </div>
      {isEmpty ? null : (
        <div>
          <div className="@container grid grid-cols-[auto_minmax(0,1fr)]">
            <Marks ticks={ticks} />
            <svg
              role="img"
              aria-labelledby={`${id}t ${id}d`}
              width="100%"
              height={PLOT_HEIGHT + LABEL_HEIGHT}
              className="overflow-visible"
            >
              <title id={`${id}t`}>{question}</title>
              <desc id={`${id}d`}>{answer}</desc>
              {ticks.map(({ y }) => (
                <line
                  key={y}
                  x1="0"
                  x2="100%"
                  y1={y}
                  y2={y}
                  className={y === PLOT_HEIGHT ? "stroke-edge" : "stroke-line"}
                />
              ))}
              {kind === "bars" ? <Bars {...view} /> : <Lines {...view} />}
              {points.map(({ key, x, label }) =>
                label === null ? null : (
                  <text
                    key={key}
                    x={`${x}%`}
                    y={PLOT_HEIGHT + 15}
                    textAnchor={x < 6 ? "start" : x > 94 ? "end" : "middle"}
                    className="fill-dim text-small @max-[310px]:nth-[2n_of_text]:hidden"
                  >
                    {label}
                  </text>
                ),
              )}
            </svg>
          </div>
          {series.length > 1 ? <Key series={series} /> : null}
          <Numbers {...table} target={`${id}h`} />
        </div>
      )}
    </section>
  );
}

/** The vertical axis is as wide as its longest mark. */
function Marks({ ticks }: Pick<ChartView, "ticks">) {
  const width = Math.max(...ticks.map(({ label }) => label.length), 1) * 7 + 8;
  return (
    <svg aria-hidden width={width} height={PLOT_HEIGHT + LABEL_HEIGHT}>
      {ticks.map(({ y, label }) => (
        <text key={y} x={width - 8} y={y + 4} textAnchor="end" className="fill-dim text-small tabular-nums">
          {label}
        </text>
      ))}
    </svg>
  );
}

/** Draws the bars of each series as one path. A transparent rectangle over each point has its title. */
function Bars({ points, series }: ChartView) {
  const width = 100 / points.length;
  const bar = Math.round(BAR * width * 100) / 100;
  const drawBar = ({ x, ys }: PlotPoint, order: number) => {
    const below = ys[order - 1] ?? PLOT_HEIGHT;
    return `M${x - bar / 2} ${below}h${bar}V${ys[order] ?? below}h-${bar}z`;
  };
  return (
    <>
      <svg
        aria-hidden
        viewBox={`0 0 100 ${PLOT_HEIGHT}`}
        preserveAspectRatio="none"
        width="100%"
        height={PLOT_HEIGHT}
      >
        {series.map(({ name, tone }, order) => (
          <path
            key={name}
            d={points.map((point) => drawBar(point, order)).join("")}
            className={`fill-current ${TONES[tone]}`}
          />
        ))}
      </svg>
      {points.map(({ key, x, title }) => (
        <rect
          key={key}
          x={`${x - width / 2}%`}
          width={`${width}%`}
          height={PLOT_HEIGHT}
          className="fill-transparent"
        >
          <title>{title}</title>
        </rect>
      ))}
    </>
  );
}

function Lines({ points, series }: ChartView) {
  return series.map(({ name, tone }, order) => (
    // Lines overlap, so this one is not translucent.
    <g key={name} className={tone === "warn" ? "text-warn" : TONES[tone]}>
      {points.map(({ key, x, title, ys }, at) => {
        const [before, y] = [points[at - 1], ys[order] ?? null];
        const from = before?.ys[order] ?? null;
        if (y === null) return null;
        return (
          <g key={key}>
            {before && from !== null ? (
              <line
                x1={`${before.x}%`}
                y1={from}
                x2={`${x}%`}
                y2={y}
                strokeWidth="1.75"
                strokeLinecap="round"
                className="stroke-current"
              />
            ) : null}
            <circle cx={`${x}%`} cy={y} r="2.5" className="fill-current">
              <title>{title}</title>
            </circle>
          </g>
        );
      })}
    </g>
  ));
}

/** A link to the values, and their table when it is open. @param target ID of the element above it */
function Numbers({ label, heads, rows, target }: ChartView["table"] & { target: string }) {
  const { open, href, onClick } = useOpen("table", label, target);
  return (
    <>
      <a href={href} className="link mt-1 block w-fit text-dim" aria-expanded={open} onClick={onClick}>
        {open ? "Hide the table" : "Show as a table"}
      </a>
      {open ? (
        <Table narrow label={label} head={heads.map((head, index) => (index > 0 ? { numeric: head } : head))}>
          {rows.map((cells) => (
            <Row key={cells[0]}>
              {cells.map((cell, column) => (
                <td key={heads[column]} className={column > 0 ? NUMERIC : undefined}>
                  {cell}
                </td>
              ))}
            </Row>
          ))}
        </Table>
      ) : null}
    </>
  );
}

function Key({ series }: Pick<ChartView, "series">) {
  return (
    <ul aria-label="Key" className="mt-1 flex flex-wrap gap-x-4 text-dim">
      {series.map(({ name, tone }) => (
        <li key={name} className="flex items-center gap-1.5">
          <span aria-hidden className={`size-2.5 bg-current ${TONES[tone]}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}
