import { makeLazyModule } from "~/ui/lazy-module";
import { LOADING_FORM } from "../draft/messages";

/** File checks read PDFs and pictures: few presets need them. */
export const fileFields = makeLazyModule(() => import("./file-field"));

/** A field for a file. */
export const FileField = fileFields.makePart("FileField", {
  fallback: <p className="text-dim">{LOADING_FORM}</p>,
});
