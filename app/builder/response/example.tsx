import type { JsonValue } from "~/catalogue/types";
import { JsonTree } from "~/ui/json/json-tree";
import { EXAMPLE_TITLE } from "./messages";

/** What the provider answers to such a request, before anything was sent. */
export function Example({ value }: { value: JsonValue }) {
  return (
    <section aria-labelledby="example-answer" className="m-4 border border-line border-dashed bg-sunken">
      <h3 id="example-answer" className="px-4 pt-3 font-normal text-dim">
        {EXAMPLE_TITLE}
      </h3>
      <JsonTree text={JSON.stringify(value)} />
    </section>
  );
}
