import { type ReactNode, useId } from "react";
import { POINTS_PER_INCH } from "../artwork/print-quality";
import { type Box, findFrame, type PieceGeometry } from "../layout/geometry";
import type { Layer } from "../layout/layers";
import type { Zoom } from "./preview-view";
import { Hatch, PAPER, round } from "./svg-parts";

/** A line is this fraction of the drawing's width, so that all sizes look alike. */
const LINES_PER_WIDTH = 560;
/** Zone numbers grow with the lines where the drawing is made to fit, and are as small as print at other zooms. */
const LABEL_UNITS = 28;
const PRINT_LABEL_PT = 11;
const PIXELS_PER_INCH = 300;

/** Context for the parts of a drawing. */
export interface Pen {
  /** Width of a hairline. */
  unit: number;
  /** Type size of the zones' numbers. */
  labelPt: number;
  /** Id of the clear zones' pattern. */
  hatch: string;
  /** Id of the clip path at the edge of the bleed. */
  clip: string;
}

/**
 * An SVG of a piece: paper, what is printed on it and, outside the trim, what is cut off. For screen readers it is one
 * image with `label` as its text.
 */
export function Drawing({
  piece,
  label,
  layers,
  zoom,
  children,
}: {
  piece: PieceGeometry;
  label: string;
  layers: readonly Layer[];
  zoom: Zoom;
  children: (pen: Pen) => ReactNode;
}) {
  const id = useId().replaceAll(":", "");
  const { trim, bleed } = piece;
  const outer = findFrame(piece);
  const unit = round(trim.width / LINES_PER_WIDTH);
  const pen = {
    unit,
    labelPt: zoom === "fit" ? unit * LABEL_UNITS : PRINT_LABEL_PT,
    hatch: `${id}-hatch`,
    clip: `${id}-clip`,
  };
  const bleeds = layers.includes("bleed") && bleed !== trim;
  const scale = zoom === "pixels" ? PIXELS_PER_INCH / POINTS_PER_INCH : 0;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={[outer.x, outer.y, outer.width, outer.height].map(round).join(" ")}
      width={scale > 0 ? Math.round(outer.width * scale) : `${round(outer.width / POINTS_PER_INCH)}in`}
      height={scale > 0 ? Math.round(outer.height * scale) : `${round(outer.height / POINTS_PER_INCH)}in`}
      className={zoom === "fit" ? "mx-auto block h-auto w-full" : "block max-w-none"}
    >
      <defs>
        <Hatch id={pen.hatch} unit={unit} />
        <clipPath id={pen.clip}>
          <rect {...(bleeds ? bleed : trim)} />
        </clipPath>
      </defs>
      <g clipPath={`url(#${pen.clip})`}>
        <rect {...bleed} fill={PAPER} />
        {children(pen)}
        {/* The bleed is dimmed, because it is cut off. */}
        {bleeds ? (
          <path
            d={`${outline(bleed)}${outline(trim)}`}
            fillRule="evenodd"
            className="fill-sunken"
            fillOpacity="0.72"
          />
        ) : null}
      </g>
      {bleeds ? (
        <rect
          {...bleed}
          fill="none"
          className="stroke-live"
          strokeWidth={unit}
          strokeDasharray={`${round(unit * 5)} ${round(unit * 3)}`}
        />
      ) : null}
      {zoom === "print" ? <Ruler trim={trim} top={bleed.y + bleed.height + 3} /> : null}
    </svg>
  );
}

function outline({ x, y, width, height }: Box): string {
  return `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;
}

/** A scale in inches below the piece, to compare with a ruler. */
function Ruler({ trim, top }: { trim: Box; top: number }) {
  const inches = Math.floor(trim.width / POINTS_PER_INCH);
  return (
    <g className="fill-ink stroke-ink" fontSize="7">
      {Array.from({ length: inches + 1 }, (_, inch) => inch).map((inch) => (
        <g key={inch}>
          <line
            x1={inch * POINTS_PER_INCH}
            x2={inch * POINTS_PER_INCH}
            y1={round(top)}
            y2={round(top + 5)}
            strokeWidth="0.7"
          />
          <text x={inch * POINTS_PER_INCH + 2} y={round(top + 8)} stroke="none">
            {inch === 0 ? "0 in" : inch}
          </text>
        </g>
      ))}
    </g>
  );
}
