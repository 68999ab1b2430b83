import { useId } from "react";
import { Cell, Head, Row, Table } from "../list/table";
import {
  type BarPlot,
  type ChartSeries,
  type ChartTone,
  type ChartView,
  type LinePlot,
  PLOT_HEIGHT,
} from "./chart-plot";

const LABEL_HEIGHT = 20;
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
 * A chart under its question, with the answer in a sentence and the values as a table. It is drawn on the server from a plot
 * (`chart-plot.server.ts`), so it works without JavaScript. An empty plot is not drawn.
 */
export function Chart({ question, answer, series, plot, table }: ChartView) {
  const id = useId();
  const heading = (
    <div>
      <h2 id={`${id}h`}>{question}</h2>
      <p className="mt-1 mb-2 text-dim">{answer}</p>
    </div>
  );
  if (isEmpty(plot)) {
    return (
      <section aria-labelledby={`${id}h`} className="min-w-0">
        {heading}
      </section>
    );
  }
  return (
    <section aria-labelledby={`${id}h`} className="min-w-0">
      {heading}
      <div>
        <div className="@container grid grid-cols-[auto_minmax(0,1fr)]">
          <Marks ticks={plot.ticks} />
          <svg
            role="img"
            aria-labelledby={`${id}t ${id}d`}
            width="100%"
            height={PLOT_HEIGHT + LABEL_HEIGHT}
            className="overflow-visible"
          >
            <title id={`${id}t`}>{question}</title>
            <desc id={`${id}d`}>{answer}</desc>
            {plot.ticks.map(({ y }) => (
              <line
                key={y}
                x1="0"
                x2="100%"
                y1={y}
                y2={y}
                className={y === PLOT_HEIGHT ? "stroke-edge" : "stroke-line"}
              />
            ))}
            {"bars" in plot ? <Bars plot={plot} series={series} /> : <Lines plot={plot} series={series} />}
            {plot.labels.map(({ key, x, text, anchor }) => (
              <text
                key={key}
                x={`${x}%`}
                y={PLOT_HEIGHT + 15}
                textAnchor={anchor}
                className="fill-dim text-small @max-[310px]:nth-[2n_of_text]:hidden"
              >
                {text}
              </text>
            ))}
          </svg>
        </div>
        {series.length > 1 ? <Key series={series} /> : null}
        <details className="mt-1">
          <summary className="link w-fit text-dim">Show as a table</summary>
          <Numbers {...table} />
        </details>
      </div>
    </section>
  );
}

function isEmpty(plot: BarPlot | LinePlot): boolean {
  return "bars" in plot
    ? plot.bars.every(({ parts }) => parts.every(({ height }) => height === 0))
    : plot.points.every(({ ys }) => ys.every((y) => y === null));
}

/** The vertical axis is as wide as its longest mark. */
function Marks({ ticks }: { ticks: BarPlot["ticks"] }) {
  const longest = Math.max(...ticks.map(({ label }) => label.length), 1);
  const width = longest * 7 + 8;
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

function Bars({ plot, series }: { plot: BarPlot; series: readonly ChartSeries[] }) {
  return plot.bars.map(({ key, x, width, title, parts }) => (
    <g key={key}>
      <title>{title}</title>
      <rect x={`${x}%`} width={`${width}%`} y={0} height={PLOT_HEIGHT} className="fill-transparent" />
      {series.map(({ name, tone }, order) => {
        const part = parts[order];
        return part && part.height > 0 ? (
          <rect
            key={name}
            x={`${x}%`}
            width={`${width}%`}
            y={part.y}
            height={part.height}
            className={`fill-current ${TONES[tone]}`}
          />
        ) : null;
      })}
    </g>
  ));
}

function Lines({ plot, series }: { plot: LinePlot; series: readonly ChartSeries[] }) {
  return series.map(({ name, tone }, order) => (
    // Lines overlap, so this one is not translucent.
    <g key={name} className={tone === "warn" ? "text-warn" : TONES[tone]}>
      {plot.lines[order]?.map(({ x1, y1, x2, y2 }) => (
        <line
          key={x1}
          x1={`${x1}%`}
          y1={y1}
          x2={`${x2}%`}
          y2={y2}
          strokeWidth="1.75"
          strokeLinecap="round"
          className="stroke-current"
        />
      ))}
      {plot.points.map(({ key, x, title, ys }) => {
        const y = ys[order] ?? null;
        return y === null ? null : (
          <circle key={key} cx={`${x}%`} cy={y} r="2.5" className="fill-current">
            <title>{title}</title>
          </circle>
        );
      })}
    </g>
  ));
}

function Numbers({ label, heads, rows }: ChartView["table"]) {
  return (
    <Table
      narrow
      label={label}
      head={heads.map((head, index) => (
        <Head key={head} numeric={index > 0}>
          {head}
        </Head>
      ))}
    >
      {rows.map((cells) => (
        <Row key={cells[0]}>
          {cells.map((cell, column) => (
            <Cell key={heads[column]} numeric={column > 0}>
              {cell}
            </Cell>
          ))}
        </Row>
      ))}
    </Table>
  );
}

function Key({ series }: { series: readonly ChartSeries[] }) {
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
