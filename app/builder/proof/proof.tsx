import { memo, useDeferredValue, useRef, useState } from "react";
import { FindingsList } from "./findings-list";
import { findLetterPage, findPostcard, type Side } from "./geometry";
import { ApproximationNotes, Legend } from "./legend";
import { LetterProof } from "./letter-proof";
import { PostcardProof } from "./postcard-proof";
import type { ProofState } from "./state";
import { usePrintShare } from "./use-print-share";
import { FIRST_VIEW, type ProofView, VIEW_FIELDS, type Zoom } from "./view";

const SIDES: readonly { value: Side; label: string }[] = [
  { value: "front", label: "Front" },
  { value: "back", label: "Back" },
];
const ZOOM_CHOICES: readonly { value: Zoom; label: string; title: string }[] = [
  { value: "fit", label: "Fit", title: "As wide as there is room" },
  { value: "print", label: "Print size", title: "As large as on paper" },
  { value: "pixels", label: "100 %", title: "Each pixel of 300 dpi artwork is one of the screen" },
];

interface ProofProps {
  state: ProofState;
  /** How it is looked at when it first appears: {@link readProofView} of a posted form. */
  view?: ProofView;
  /** The Builder's form, to which the proof's own fields belong wherever the proof stands. */
  formId: string;
  /** Where "Update proof" posts that form, without JavaScript. */
  updateAction: string;
}

/**
 * The live proof: the piece as it will print, switches for its layers, side and zoom, and what would go wrong.
 * Drawing waits for typing: it is done again in React's spare time.
 */
export function Proof({ state, ...rest }: ProofProps) {
  return <DeferredProof state={useDeferredValue(state)} {...rest} />;
}

const DeferredProof = memo(function DeferredProof({
  state,
  view: first = FIRST_VIEW,
  formId,
  updateAction,
}: ProofProps) {
  const [view, setView] = useState(first);
  const ground = useRef<HTMLElement>(null);
  const { side, zoom, layers } = view;
  const postcard = state.kind === "postcard";
  const piece = postcard ? findPostcard(state.size, side) : findLetterPage(state.home);
  const share = usePrintShare(ground);
  return (
    <section aria-label="Proof" className="grid min-w-0 content-start gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-2.5">
        <h2>
          Proof{" "}
          <span className="font-normal text-dim tabular-nums">
            {postcard ? `${side} of ${state.size || "a postcard"}` : `letter, ${piece?.label}`}
            {share === null ? "" : `, at ${share} % of print size`}
          </span>
        </h2>
        <div className="ml-auto flex flex-wrap gap-2">
          {postcard ? (
            <Choice
              legend="Side"
              name={VIEW_FIELDS.side}
              formId={formId}
              choices={SIDES}
              value={side}
              onChoose={(next) => setView({ ...view, side: next })}
            />
          ) : null}
          <Choice
            legend="Zoom"
            name={VIEW_FIELDS.zoom}
            formId={formId}
            choices={ZOOM_CHOICES}
            value={zoom}
            onChoose={(next) => setView({ ...view, zoom: next })}
          />
        </div>
      </div>
      {piece ? (
        <>
          <section
            ref={ground}
            aria-label="Drawing"
            tabIndex={postcard && zoom === "fit" ? undefined : 0}
            className="max-h-[80vh] overflow-auto bg-sunken p-2"
          >
            {postcard ? (
              <PostcardProof state={state} side={side} layers={layers} zoom={zoom} />
            ) : (
              <LetterProof state={state} layers={layers} zoom={zoom} />
            )}
          </section>
          {zoom === "print" ? (
            <p className="px-4 text-[12px] text-dim">
              Hold a ruler against the scale: at a browser zoom of 100 % an inch is about an inch on most
              screens.
            </p>
          ) : null}
          <FindingsList state={state} />
          <Legend
            state={state}
            side={side}
            layers={layers}
            formId={formId}
            onChange={(next) => setView({ ...view, layers: next })}
          />
          <ApproximationNotes kind={state.kind} />
        </>
      ) : (
        <p className="px-4 py-8 text-center text-dim">Choose a size, and the proof appears here.</p>
      )}
      <noscript>
        <p className="px-4 pb-2">
          <button
            type="submit"
            form={formId}
            formAction={updateAction}
            name="intent"
            value="update"
            className="button"
          >
            Update proof
          </button>{" "}
          draws what the form holds now, with the layers ticked above.
        </p>
      </noscript>
    </section>
  );
});

/** A row of radio buttons that looks like one switch. */
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
