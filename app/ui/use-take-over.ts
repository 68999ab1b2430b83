import { useEffect, useLayoutEffect } from "react";

/**
 * An effect that takes over what was entered before JavaScript came: what it changes is drawn before React receives a
 * press. On the server it is `useEffect`, which does nothing there: React would warn of the other.
 */
export const useTakeOver = typeof document === "undefined" ? useEffect : useLayoutEffect;
