import { env } from "~/platform/env.server";
import type { ShownCode } from "../builder-view";
import type { CallTemplate, Draft } from "../draft";
import type { BaseUrlView } from "../request/base-url-view";
import type { CodeChoice } from "./code-choice";
import { listCodeParts } from "./code-parts";
import { writeCode } from "./write-code";

/** The request of a page as a program, as the page is first seen. */
export function showCode(
  { draft, template }: { draft: Draft; template: CallTemplate },
  base: BaseUrlView,
  choice: CodeChoice,
): ShownCode {
  return { choice, ...writeCode(listCodeParts(draft, template, base), env().appOrigin, choice) };
}
