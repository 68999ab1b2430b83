import { createContext } from "react";

/** The answer's script nonce while the server renders; empty in the browser, which never shows it again. */
export const NonceContext = createContext("");
