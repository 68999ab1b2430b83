import { useEffect, useLayoutEffect } from "react";

/**
 * Effect that reads what was entered before hydration. Its changes are rendered before React receives events. It is `useEffect`
 * on the server, where React warns of `useLayoutEffect`.
 */
export const useTakeOver = typeof document === "undefined" ? useEffect : useLayoutEffect;
