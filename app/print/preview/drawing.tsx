import { type ReactNode, useContext, useId, useMemo } from "react";
import { type Box, inset, type PieceGeometry, POINTS_PER_INCH, PRINT_DPI } from "../layout/geometry";
import { round } from "../letter/page";
import type { DrawingOptions } from "./preview-view";
import { ARIAL, DrawingContext, Outline, PAPER, place } from "./svg-parts";

/** Space around the bleed, for outline and scale. */
const FRAME_PT = 16;
/** A line is this fraction of the drawing's width, so that all sizes look alike. */
const LINES_PER_WIDTH = 560;
/** Zone numbers grow with the lines where the drawing is made to fit, and are as small as print at other zooms. */
const LABEL_UNITS = 28;
const PRINT_LABEL_PT = 11;
const STAMP = "#1d4f91";

/** An SVG of a piece: what is printed, the safe area, the trim and what is cut off. For screen readers it is one image. */
export function Drawing({
  piece,
  label,
  layers,
  zoom,
  marks,
  test,
  children,
}: DrawingOptions & { piece: PieceGeometry; label: string; children: ReactNode }) {
  const id = useId().replaceAll(":", "");
  const { trim, bleed, safe } = piece;
  const outer = inset(bleed, -FRAME_PT);
  const unit = round(trim.width / LINES_PER_WIDTH);
  const labelPt = zoom === "fit" ? unit * LABEL_UNITS : PRINT_LABEL_PT;
  const hatch = `${id}-hatch`;
  const context = useMemo(() => ({ layers, unit, labelPt, hatch }), [layers, unit, labelPt, hatch]);
  const bleeds = layers.includes("bleed") && bleed !== trim;
  const scale = zoom === "pixels" ? PRINT_DPI / POINTS_PER_INCH : 0;
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
        <Hatch id={hatch} unit={unit} />
        <clipPath id={`${id}-clip`}>
          <rect {...(bleeds ? bleed : trim)} />
        </clipPath>
      </defs>
      <g clipPath={`url(#${id}-clip)`}>
        <rect {...bleed} fill={PAPER} />
        <DrawingContext.Provider value={context}>
          {children}
          <Outline layer="safe" box={safe} />
          <Outline layer="trim" box={trim} />
          {marks.map((box) => (
            <Mark key={`${box.x} ${box.y}`} box={box} />
          ))}
        </DrawingContext.Provider>
        {test ? <SpecimenStamp box={trim} /> : null}
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

function Hatch({ id, unit }: { id: string; unit: number }) {
  const step = round(unit * 7);
  return (
    <pattern id={id} width={step} height={step} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width={step} height={step} fill="#1d4f91" fillOpacity="0.07" />
      <line x1="0" y1="0" x2="0" y2={step} stroke="#1d4f91" strokeOpacity="0.45" strokeWidth={round(unit)} />
    </pattern>
  );
}

function Mark({ box }: { box: Box }) {
  const { unit } = useContext(DrawingContext);
  return <rect {...place(box)} fill="#c2182b" fillOpacity={0.12} stroke="#c2182b" strokeWidth={unit * 2.5} />;
}

/** A stamp across a test piece, so that no one takes it for real mail. */
function SpecimenStamp({ box }: { box: Box }) {
  const middle = { x: round(box.x + box.width / 2), y: round(box.y + box.height / 2) };
  const size = round(Math.min(box.width / 8, box.height / 3));
  return (
    <text
      x={middle.x}
      y={middle.y}
      transform={`rotate(-16 ${middle.x} ${middle.y})`}
      textAnchor="middle"
      dominantBaseline="central"
      fontFamily={ARIAL}
      fontWeight="700"
      fontSize={size}
      letterSpacing={round(size * 0.12)}
      fill={STAMP}
      fillOpacity="0.2"
      stroke={PAPER}
      strokeOpacity="0.6"
      strokeWidth={round(size / 24)}
      paintOrder="stroke"
    >
      SPECIMEN
    </text>
  );
}
