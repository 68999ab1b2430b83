import { memo } from "react";
import type { Side } from "../layout/geometry";
import { PREVIEW } from "../messages";
import { type PreviewView, VIEW_FIELDS, type Zoom } from "./preview-view";

const SIDES: readonly { value: Side; label: string }[] = [
  { value: "front", label: "Front" },
  { value: "back", label: "Back" },
];
const ZOOM_CHOICES: readonly { value: Zoom; label: string; title: string }[] = [
  { value: "fit", label: "Fit", title: "Fill the available width" },
  { value: "print", label: "Print size", title: "Real size on paper" },
  { value: "pixels", label: "100 %", title: "One screen pixel per pixel of 300 dpi artwork" },
];

/** The preview's title with switches for side and zoom. */
export const PreviewHeader = memo(function PreviewHeader({
  subject,
  share,
  sided,
  view,
  shown,
  formId,
  onView,
  onShown,
}: {
  subject: string;
  /** Size of the drawing in percent of the printed piece; null until it is measured. */
  share: number | null;
  /** True when the piece has two sides. */
  sided: boolean;
  view: PreviewView;
  /** True when the drawing is shown. Hiding it saves a slow machine the work. */
  shown: boolean;
  formId: string;
  onView: (change: Partial<PreviewView>) => void;
  onShown: (shown: boolean) => void;
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-2.5">
      <h2>
        {PREVIEW.title}{" "}
        <span className="font-normal text-dim tabular-nums">
          {subject}
          {shown ? (
            // Keeps its place until it is measured.
            <span
              className={share === null ? "needs-script invisible" : ""}
            >{`, at ${share ?? 100} % of print size`}</span>
          ) : null}
        </span>
      </h2>
      <div className="ml-auto flex flex-wrap items-center gap-2">
        {shown && sided ? (
          <div className="@min-[28rem]:hidden">
            <Choice
              legend="Side"
              name={VIEW_FIELDS.side}
              formId={formId}
              choices={SIDES}
              value={view.side}
              onChoose={(side) => onView({ side })}
            />
          </div>
        ) : null}
        {shown ? (
          <Choice
            legend="Zoom"
            name={VIEW_FIELDS.zoom}
            formId={formId}
            choices={ZOOM_CHOICES}
            value={view.zoom}
            onChoose={(zoom) => onView({ zoom })}
          />
        ) : null}
        <button type="button" className="needs-script button-quiet link" onClick={() => onShown(!shown)}>
          {shown ? PREVIEW.hide : PREVIEW.show}
        </button>
      </div>
    </div>
  );
});

/** Radio buttons that look like one switch. */
function Choice<Value extends string>({
  legend,
  name,
  formId,
  choices,
  value,
  onChoose,
}: {
  legend: string;
  name: string;
  formId: string;
  choices: readonly { value: Value; label: string; title?: string }[];
  value: Value;
  onChoose: (value: Value) => void;
}) {
  return (
    <fieldset className="flex overflow-hidden rounded-[6px] border border-edge">
      <legend className="sr-only">{legend}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          title={choice.title}
          className="cursor-pointer border-edge border-l px-2.5 py-1 text-dim first-of-type:border-l-0 has-checked:bg-accent-wash has-checked:font-semibold has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:-outline-offset-2"
        >
          <input
            type="radio"
            form={formId}
            name={name}
            value={choice.value}
            checked={choice.value === value}
            className="sr-only"
            onChange={() => onChoose(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}
