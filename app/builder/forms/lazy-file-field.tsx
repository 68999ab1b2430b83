import type { ComponentProps } from "react";
import { makeLazyModule } from "~/ui/lazy-module";
import { LOADING_FORM } from "../draft/messages";

/** File checks read PDFs and pictures: few presets need them. */
export const fileFields = makeLazyModule(() => import("./file-field"));

/** A field for a file. */
export function FileField(props: ComponentProps<typeof import("./file-field")["FileField"]>) {
  const loaded = fileFields.useModule();
  return loaded ? <loaded.FileField {...props} /> : <p className="text-dim">{LOADING_FORM}</p>;
}
