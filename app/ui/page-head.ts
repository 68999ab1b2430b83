import { createContext } from "react";

/** Values of the HTML head that routes do not know. */
interface PageHead {
  /** Nonce of inline scripts; "" in the browser, which hides it. */
  nonce: string;
  /** Text of the inline style sheet; null when the page links it. */
  styles: string | null;
}

export const PageHead = createContext<PageHead>({
  nonce: "",
  styles: globalThis.document?.querySelector("style[data-sheet]")?.textContent ?? null,
});
