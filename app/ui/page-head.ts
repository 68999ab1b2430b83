import { createContext } from "react";

/** What a page's HTML has that its routes do not know. */
interface PageHead {
  /** Of inline scripts; empty in the browser, which hides nonces from scripts. */
  nonce: string;
  /** The style sheet's text, where the page has it within; null where it links it. */
  styles: string | null;
}

/** In the browser: as the server wrote it. */
export const PageHead = createContext<PageHead>({
  nonce: "",
  styles: globalThis.document?.querySelector("style[data-sheet]")?.textContent ?? null,
});
