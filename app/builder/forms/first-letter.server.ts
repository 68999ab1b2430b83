import { findHome } from "~/outside/mail-provider/home-country";
import type { Viewer } from "~/people/viewer.server";
import { fail } from "~/platform/outcome";
import { selectLetterText } from "~/print/layout/layout";
import { drawLetter } from "~/print/letter/draw-letter.server";
import { findPageSize } from "~/print/letter/page";
import type { FirstLetter } from "~/print/preview/use-letter-drawing";
import { type CallTemplate, type Draft, findMailKind } from "../draft/draft";
import type { ListedRecipient } from "../draft/recipients";
import { buildState } from "./mail-preview";

/**
 * Draws a draft's letter for the page's first HTML; null when it is not made from text. It is laid out for a viewer only,
 * because a long one takes seconds.
 */
export async function drawFirstLetter(
  draft: Draft,
  template: CallTemplate,
  base: { label: string },
  viewer: Viewer | null,
  listed: readonly ListedRecipient[],
): Promise<FirstLetter | null> {
  if (findMailKind(template) !== "letter") return null;
  const home = findHome(base);
  const text = selectLetterText(buildState("letter", draft, listed, home));
  if (text === null) return null;
  const request = { text, page_size: findPageSize(home) };
  if (!viewer) return { request, drawn: fail("signed_out", "Log in to see the text on the letter's pages.") };
  return text.trim() === "" ? null : { request, drawn: await drawLetter(text, request.page_size) };
}
