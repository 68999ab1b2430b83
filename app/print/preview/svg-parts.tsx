import { createContext, type ReactNode, useContext } from "react";
import { type Box, inset } from "../layout/geometry";
import type { PlacedLine, TextBlock } from "../layout/layout";
import { breakLines } from "../layout/measure-text";
import { findTypeface } from "../layout/typefaces";
import { type DrawnText, FONT_SIZE, round } from "../letter/page";
import { LAYERS, type Layer } from "./preview-view";

/** Paper looks the same in both themes, so drawings on it do not use the theme's colours. */
export const PAPER = "#fffefb";
export const ARIAL = findTypeface("Arial").family;
const CUT = "#b3122c";
const NOTE = "#5d5a54";
/** Words in place of a picture are this fraction of its width, readable also where the drawing is small. */
const NOTES_PER_WIDTH = 22;

/** The line of each layer. The dashes differ, so that lines can be told apart without colour. */
export const LAYER_LINES: Readonly<Record<Layer, { stroke: string; dash?: string; weight?: number }>> = {
  bleed: { stroke: "#c4122f", dash: "5 3" },
  trim: { stroke: "#8a857b" },
  safe: { stroke: "#1f7a4a", dash: "1.2 2.6", weight: 1.2 },
  clear: { stroke: "#1d4f91", weight: 0.6 },
  padding: { stroke: "#8a5a00", dash: "8 2 2 2" },
  signature: { stroke: "#5a4bb0", dash: "3 2" },
  message: { stroke: "#7a3b78", dash: "10 4", weight: 0.7 },
  address: { stroke: "#1d1c1a" },
};

export const DrawingContext = createContext({
  layers: LAYERS as readonly Layer[],
  /** Width of a hairline. */
  unit: 1,
  /** Type size of the zones' numbers. */
  labelPt: 1,
  /** Id of the clear zones' pattern. */
  hatch: "",
});

export function Shown({ layer, children }: { layer: Layer; children: ReactNode }) {
  return useContext(DrawingContext).layers.includes(layer) ? children : null;
}

export function place(box: Box) {
  return { x: round(box.x), y: round(box.y), width: round(box.width), height: round(box.height) };
}

export function Outline({ layer, box }: { layer: Layer; box: Box }) {
  const { stroke, dash, weight = 1 } = LAYER_LINES[layer];
  const unit = useContext(DrawingContext).unit * weight;
  return (
    <Shown layer={layer}>
      <rect
        {...place(box)}
        fill="none"
        stroke={stroke}
        strokeWidth={unit}
        strokeDasharray={dash
          ?.split(" ")
          .map((part) => round(Number(part) * unit))
          .join(" ")}
      />
    </Shown>
  );
}

/** A picture that fills its box, or is shown whole in it. */
export function Picture({ href, box, whole = false }: { href: string; box: Box; whole?: boolean }) {
  return <image href={href} {...place(box)} preserveAspectRatio={`xMidYMid ${whole ? "meet" : "slice"}`} />;
}

/** A hatched area that must stay clear. Its number is at the top right, where an address does not begin, or above it. */
export function ClearZone({ box, number, above = false }: { box: Box; number: number; above?: boolean }) {
  const { hatch, labelPt: sizePt } = useContext(DrawingContext);
  return (
    <Shown layer="clear">
      <rect {...place(box)} fill={`url(#${hatch})`} />
      <Outline layer="clear" box={box} />
      <text
        x={round(above ? box.x + sizePt * 0.5 : box.x + box.width - sizePt * 0.5)}
        y={round(above ? box.y - sizePt * 0.4 : box.y + sizePt * 1.2)}
        textAnchor={above ? "start" : "end"}
        fontSize={round(sizePt)}
        fontWeight="700"
        fill={LAYER_LINES.clear.stroke}
        fontFamily={ARIAL}
      >
        {number}
      </text>
    </Shown>
  );
}

/** Lines of text, each stretched to its measured width, because this machine may lack the font. */
function Lines({
  lines,
  family,
  sizePt,
  colour,
  struck,
}: Pick<TextBlock, "lines" | "family" | "sizePt" | "colour"> & { struck?: boolean }) {
  return (
    <g fontFamily={family} fontSize={sizePt} fill={colour}>
      {lines.map(({ x, baseline, width, text, rightToLeft }) =>
        text === "" ? null : (
          <text
            key={`${baseline} ${x}`}
            x={round(x)}
            y={round(baseline)}
            xmlSpace="preserve"
            textLength={width ? round(width) : undefined}
            lengthAdjust="spacingAndGlyphs"
            direction={rightToLeft ? "rtl" : undefined}
            textDecoration={struck ? "line-through" : undefined}
          >
            {text}
          </text>
        ),
      )}
    </g>
  );
}

/** The text of a letter's page, each part where the PDF has it and as wide as there. */
export function LetterText({ text }: { text: readonly DrawnText[] }) {
  const lines = text.map(
    (part): PlacedLine => ({ ...part, x: part.rightToLeft ? part.x + part.width : part.x }),
  );
  return <Lines lines={lines} family={ARIAL} sizePt={FONT_SIZE} colour="black" />;
}

/** A block of text; below a dashed line, the lines that would be cut. */
export function Block({ block, until }: { block: TextBlock; until: number }) {
  const { unit } = useContext(DrawingContext);
  const cutAt = block.box.y + block.box.height;
  return (
    <>
      <Lines {...block} />
      {block.cut.length > 0 ? (
        <g>
          <g opacity="0.5">
            <Lines {...block} lines={block.cut.filter((line) => line.baseline < until)} colour={CUT} struck />
          </g>
          <line
            x1={round(block.box.x)}
            x2={round(block.box.x + block.box.width)}
            y1={round(cutAt)}
            y2={round(cutAt)}
            stroke={CUT}
            strokeWidth={round(unit * 2)}
            strokeDasharray={`${round(unit * 6)} ${round(unit * 3)}`}
          />
          <text
            x={round(block.box.x + block.box.width + unit * 3)}
            y={round(cutAt + unit * 3)}
            fontSize={round(unit * 9)}
            fontFamily={ARIAL}
            fill={CUT}
          >
            cut
          </text>
        </g>
      ) : null}
    </>
  );
}

interface PlaceholderProps {
  box: Box;
  /** Area for the text when something else covers the box. */
  words?: Box;
  lines: readonly string[];
}

export function Placeholder({ box, words = placeWords(box), lines }: PlaceholderProps) {
  const size = box.width / NOTES_PER_WIDTH;
  const set = lines.flatMap((line) => breakLines("Arial", size, line, words.width));
  const top = words.y + size / 2;
  return (
    <g>
      <rect {...place(box)} fill="#f3f1ec" />
      {set.map((line, at) => (
        <text
          key={round(top + at * size * 1.4)}
          x={round(words.x + words.width / 2)}
          y={round(top + at * size * 1.4)}
          textAnchor="middle"
          dominantBaseline="central"
          fontFamily={ARIAL}
          fontSize={round(size)}
          fill={NOTE}
        >
          {line}
        </text>
      ))}
    </g>
  );
}

/** Above the stamp across the middle. */
function placeWords(box: Box): Box {
  const size = box.width / NOTES_PER_WIDTH;
  return { ...inset(box, size), y: box.y + box.height * 0.16 - size / 2 };
}
