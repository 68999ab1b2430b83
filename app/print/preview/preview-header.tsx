import { memo } from "react";
import type { Side } from "../layout/geometry";
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

interface HeaderProps {
  subject: string;
  /** Size of the drawing in percent of the printed piece; null until it is measured. */
  share: number | null;
  sided: boolean;
  view: PreviewView;
  /** True when the drawing is shown. Hiding it saves a slow machine the work. */
  shown: boolean;
  formId: string;
  onView: (change: Partial<PreviewView>) => void;
  onShown: (shown: boolean) => void;
}

export const PreviewHeader = memo(function PreviewHeader(props: HeaderProps) {
  const { subject, share, sided, shown, onShown } = props;
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b px-4 py-2.5">
      <h2>
        Preview{" "}
        <span className="font-normal text-dim tabular-nums">
          {subject}
          {shown ? (
            // Keeps its place until it is measured.
            <span
              className={share === null ? "needs-script invisible" : ""}
            >{`, ${share ?? 100} % of print size`}</span>
          ) : null}
        </span>
      </h2>
      <div className="ml-auto flex flex-wrap items-center gap-2">
        {shown && sided ? (
          <div className="@min-[28rem]:hidden">
            <Choice legend="Side" field="side" choices={SIDES} {...props} />
          </div>
        ) : null}
        {shown ? <Choice legend="Zoom" field="zoom" choices={ZOOM_CHOICES} {...props} /> : null}
        <button type="button" className="needs-script button-quiet link" onClick={() => onShown(!shown)}>
          {shown ? "Hide" : "Show"} <span className="sr-only">preview</span>
        </button>
      </div>
    </div>
  );
});

interface ChoiceProps extends Pick<HeaderProps, "view" | "formId" | "onView"> {
  legend: string;
  field: "side" | "zoom";
  choices: readonly { value: Side | Zoom; label: string; title?: string }[];
}

/** Radio buttons that look like one switch. */
function Choice({ legend, field, choices, view, formId, onView }: ChoiceProps) {
  return (
    <fieldset className="flex overflow-hidden rounded-[6px] border border-edge">
      <legend className="sr-only">{legend}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          title={choice.title}
          className="cursor-pointer border-edge border-l first-of-type:border-l-0"
        >
          <input
            type="radio"
            form={formId}
            name={VIEW_FIELDS[field]}
            value={choice.value}
            checked={choice.value === view[field]}
            className="peer sr-only"
            onChange={() => onView({ [field]: choice.value })}
          />
          <span className="block px-2.5 py-1 text-dim peer-checked:bg-accent-wash peer-checked:font-semibold peer-checked:text-accent peer-focus-visible:outline-2 peer-focus-visible:outline-accent peer-focus-visible:-outline-offset-2">
            {choice.label}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
