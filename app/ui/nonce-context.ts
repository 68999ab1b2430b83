import { createContext } from "react";

/** The nonce for inline scripts during server rendering; empty in the browser, which hides nonces from scripts. */
export const NonceContext = createContext("");
